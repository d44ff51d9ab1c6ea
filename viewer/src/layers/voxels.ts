// A stage of the thesis's pipeline: coarse voxels that faces come into.

import { categories, css } from "../colours";
import { Boxes } from "./boxes";
import type { LayerKind } from "./layer";

/** In the order of their numbers, with the number of their colour. */
const KINDS = [
  { colour: 7, words: "faces that are too steep" },
  { colour: 4, words: "faces that can be walked on, without room to stand" },
  { colour: 2, words: "a body can stand in it" },
  { colour: 6, words: "the same, where two layers meet" },
];

export const voxels: LayerKind = {
  name: "voxels",
  title: "Stage: voxels",
  words: "The coarse cubes in which the thesis's pipeline first looks for ground.",
  isHiddenAtFirst: true,
  legend: ({ theme }, show) =>
    KINDS.filter((_, kind) => show.bytes("voxels.kind")?.includes(kind)).map(({ colour, words }) => ({
      colour: css(categories(theme)[colour]),
      mark: "area",
      words,
    })),
  build({ show }) {
    const boxes = show.floats("voxels.boxes");
    const kinds = show.bytes("voxels.kind");
    if (!boxes || !kinds) return undefined;
    const all = new Boxes(boxes, false);
    return {
      object: all.object,
      update({ theme }, changed) {
        if (!changed.has("theme")) return;
        const palette = categories(theme);
        all.colour((box) => palette[KINDS[kinds[box]]?.colour ?? 7]);
      },
      dispose: () => all.dispose(),
    };
  },
};
