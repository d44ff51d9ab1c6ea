// What the colours mean, of the layers that are shown.

import { h } from "./dom";
import { LAYERS } from "./layers";
import type { LegendItem } from "./layers/layer";
import type { Show } from "./show";
import type { Store } from "./store";

export function legend(store: Store, show: Show, isThere: (layer: string) => boolean): HTMLDetailsElement {
  const list = h("div", { class: "items" });
  const box = h("details", { class: "legend", open: innerWidth > 900 }, h("summary", {}, "Legend"), list);
  const draw = () => {
    const { look } = store;
    const shown = LAYERS.filter(({ name }) => isThere(name) && !look.hidden.has(name));
    list.replaceChildren(
      ...shown.flatMap((layer) => {
        const items = layer.legend(look, show);
        if (items.length === 0) return [];
        return [h("section", {}, h("h3", {}, layer.title), h("ul", {}, ...items.map(entry)))];
      }),
    );
  };
  let last = "";
  store.on(["theme", "colouring", "options", "hidden", "radius", "answer"], ({ theme, colouring, options, hidden, radius, answer }) => {
    const now = `${theme} ${colouring} ${JSON.stringify(options)} ${[...hidden].join()} ${radius} ${answer?.found && answer.radius}`;
    if (now !== last) draw();
    last = now;
  });
  return box;
}

function entry({ colour, mark, words }: LegendItem): HTMLElement {
  const sample = h("span", { class: `sample ${mark}`, "aria-hidden": "true" });
  if (typeof colour === "string") sample.style.setProperty("--ink", colour);
  else if (colour.length > 0) {
    const isSteps = colour[0].startsWith("rgb");
    const stops = isSteps
      ? colour.map((ink, k) => `${ink} ${(100 * k) / colour.length}% ${(100 * (k + 1)) / colour.length}%`)
      : colour;
    sample.style.setProperty("--fill", `linear-gradient(to right, ${stops.join(", ")})`);
    sample.classList.add("wide");
  }
  return h("li", {}, sample, h("span", {}, words));
}
