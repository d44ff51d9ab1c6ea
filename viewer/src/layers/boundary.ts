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
  build({ show, ground }) {
    const positions = show.floats("boundary.positions");
    const kinds = show.bytes("boundary.kind");
    if (!positions || !kinds) return undefined;
    const cells = show.numbers("boundary.cell");
    const lines = new Lines(positions, { width: 2.2 }, true);
    lines.object.renderOrder = 4;
    let chosen: number | null = null;
    return {
      object: lines.object,
      update({ theme, storey }, changed) {
        if (cells && ground && storey !== chosen) {
          lines.choose((edge) => ground.isShown(cells[edge], storey));
          chosen = storey;
        } else if (!changed.has("theme")) return;
        const inks = [rgb(INKS[theme].wall), rgb(INKS[theme].drop)];
        lines.colour((edge) => inks[kinds[edge] === DROP ? 1 : 0]);
      },
      dispose: () => lines.dispose(),
    };
  },
};
