// The edges of the floor plan that the map was made of, by kind.

import { INKS, rgb, type Inks } from "../colours";
import type { LayerKind } from "./layer";
import { LIFT, Lines } from "./lines";

/** In the order of their numbers. */
const KINDS: { ink: keyof Inks; words: string }[] = [
  { ink: "wall", words: "wall" },
  { ink: "drop", words: "drop: who goes on falls" },
  { ink: "seam", words: "seam: two layers go on in each other" },
  { ink: "gap", words: "gap that can be stepped over" },
  { ink: "tagBorder", words: "border between tags" },
];

export const plan: LayerKind = {
  name: "plan",
  title: "Stage: floor plan",
  words: "The outlines that the bake found, before they were cut into cells.",
  isHiddenAtFirst: true,
  legend: ({ theme }, show) =>
    KINDS.filter((_, kind) => show.bytes("plan.kind")?.includes(kind)).map(({ ink, words }) => ({
      colour: INKS[theme][ink],
      mark: "line",
      words,
    })),
  build({ show, ground }) {
    const positions = show.floats("plan.positions");
    const kinds = show.bytes("plan.kind");
    if (!positions || !kinds) return undefined;
    const cells = show.numbers("plan.cell");
    const lines = new Lines(positions, { width: 3 }, true);
    lines.object.position.z = LIFT * 1.4;
    lines.object.renderOrder = 5;
    let chosen: number | null = null;
    return {
      object: lines.object,
      update({ theme, storey }, changed) {
        if (cells && ground && storey !== chosen) {
          lines.choose((edge) => ground.isShown(cells[edge], storey));
          chosen = storey;
        } else if (!changed.has("theme")) return;
        const inks = KINDS.map(({ ink }) => rgb(INKS[theme][ink]));
        lines.colour((edge) => inks[kinds[edge]] ?? inks[0]);
      },
      dispose: () => lines.dispose(),
    };
  },
};
