// What a body steps over: steps as lines. Gaps are cells, which the layer of cells colours.

import { INKS, rgb } from "../colours";
import type { LayerKind } from "./layer";
import { Lines } from "./lines";

export const gaps: LayerKind = {
  name: "gaps",
  title: "Steps and gaps",
  words: "Where a body steps up, down or over something; how high and how far, a path says.",
  legend: ({ theme }, show) => [
    { colour: INKS[theme].gap, mark: "line", words: "step" },
    ...(show.bytes("cell.gap")?.includes(1)
      ? [{ colour: INKS[theme].stride, mark: "area" as const, words: "gap that is stepped over" }]
      : []),
  ],
  build({ show, ground }) {
    const positions = show.floats("steps.positions");
    if (!positions) return undefined;
    const cells = show.numbers("steps.cell");
    const lines = new Lines(positions, { width: 1.8 }, true);
    lines.object.renderOrder = 4;
    let chosen: number | null = null;
    return {
      object: lines.object,
      update({ theme, storey }, changed) {
        if (cells && ground && storey !== chosen) {
          lines.choose((edge) => ground.isShown(cells[edge], storey));
          chosen = storey;
        } else if (!changed.has("theme")) return;
        const ink = rgb(INKS[theme].gap);
        lines.colour(() => ink);
      },
      dispose: () => lines.dispose(),
    };
  },
};
