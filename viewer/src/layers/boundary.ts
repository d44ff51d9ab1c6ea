// Where the ground ends: walls and drops.

import { INKS, rgb } from "../colours";
import type { LayerKind } from "./layer";
import { Lines } from "./lines";

const DROP = 1;

export const boundary: LayerKind = {
  name: "boundary",
  title: "Boundary",
  words: "Where the ground ends: bodies keep their radius from walls and from drops.",
  legend: ({ theme }, show) => [
    { colour: INKS[theme].wall, mark: "line", words: "wall or other obstacle" },
    ...(show.bytes("boundary.kind")?.includes(DROP)
      ? [{ colour: INKS[theme].drop, mark: "line" as const, words: "drop: who goes on falls" }]
      : []),
  ],
  build({ show }) {
    const positions = show.floats("boundary.positions");
    const kinds = show.bytes("boundary.kind");
    if (!positions || !kinds) return undefined;
    const lines = new Lines(positions, { width: 2.2 }, true);
    lines.object.renderOrder = 4;
    return {
      object: lines.object,
      update({ theme }, changed) {
        if (!changed.has("theme")) return;
        const inks = [rgb(INKS[theme].wall), rgb(INKS[theme].drop)];
        lines.colour((edge) => inks[kinds[edge] === DROP ? 1 : 0]);
      },
      dispose: () => lines.dispose(),
    };
  },
};
