// A stage of the bake: the floors as they were found, pixel by pixel, before their outlines were drawn. Pixels on one slope are one
// rectangle.

import { AMOUNTS, amount, categories, css, type Rgb } from "../colours";
import { choice, option } from "../controls";
import { step } from "../steps";
import { metres } from "../words";
import { Boxes, heights, middle } from "./boxes";
import type { LayerKind, LegendItem } from "./layer";
import { LIFT } from "./lines";

const COLOUR = "floors.colour";
const COLOURS = { layer: "layer", height: "height" };
/** The legend names so many layers. */
const NAMED = 6;

export const floors: LayerKind = {
  name: "floors",
  title: "Stage: floors",
  words: "Where a body can stand, pixel by pixel, in the layers that the bake found, before it drew outlines around them.",
  isHiddenAtFirst: true,
  controls: (store) => choice(store, COLOUR, "Colour by", COLOURS, "layer"),
  legend(look, show) {
    if (option(look, COLOUR, "layer") === "height") {
      const [low, high] = heights(show.floats("floors.boxes") ?? new Float32Array()).map((z) => metres(show.world([0, 0, z])[2]));
      return [{ colour: AMOUNTS, mark: "area", words: `from ${low} to ${high}` }];
    }
    const palette = categories(look.theme);
    let count = 0;
    for (const layer of show.numbers("floors.layer") ?? []) count = Math.max(count, layer + 1);
    const items: LegendItem[] = Array.from({ length: Math.min(count, NAMED) }, (_, k) => ({
      colour: css(palette[k % palette.length]),
      mark: "area",
      words: `layer ${k}`,
    }));
    if (count > NAMED) items.push({ colour: palette.map(css), mark: "area", words: `and ${count - NAMED} more; colours repeat` });
    return items;
  },
  build({ show }) {
    const boxes = show.floats("floors.boxes");
    const layers = show.numbers("floors.layer");
    if (!boxes || !layers) return undefined;
    const all = new Boxes(boxes, true);
    // Under what is drawn on the ground.
    all.object.position.z = LIFT / 5;
    Object.assign(all.object.material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const [low, high] = heights(boxes);
    let painted = "";
    return {
      object: all.object,
      update(look, changed) {
        const colour = option(look, COLOUR, "layer");
        if (!changed.has("theme") && colour === painted) return;
        painted = colour;
        const palette = categories(look.theme);
        const ramp = Array.from({ length: 256 }, (_, k): Rgb => amount(k / 255));
        const isHeight = colour === "height";
        const scale = 255 / Math.max(high - low, 1e-6);
        step("colour floors", () =>
          all.colour((box) => (isHeight ? ramp[Math.round((middle(boxes, box) - low) * scale)] : palette[layers[box] % palette.length])),
        );
      },
      dispose: () => all.dispose(),
    };
  },
};
