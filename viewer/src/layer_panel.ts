// A switch for each layer, with what it shows in words and what else can be set.

import { h } from "./dom";
import { LAYERS } from "./layers";
import type { Show } from "./show";
import type { Store } from "./store";

export function layerPanel(store: Store, show: Show, isThere: (layer: string) => boolean): HTMLElement {
  return h(
    "div",
    { class: "stack" },
    ...LAYERS.filter(({ name }) => isThere(name)).map((layer) => {
      const id = `layer-${layer.name}`;
      const box = h("input", {
        type: "checkbox",
        role: "switch",
        id,
        "aria-describedby": `${id}-words`,
        onchange: () => {
          const hidden = new Set(store.look.hidden);
          if (box.checked) hidden.delete(layer.name);
          else hidden.add(layer.name);
          store.set({ hidden });
        },
      });
      const more = layer.controls?.(store, show);
      store.on(["hidden"], ({ hidden }) => {
        box.checked = !hidden.has(layer.name);
        if (more) more.hidden = !box.checked;
      });
      return h(
        "div",
        { class: "layer" },
        h("label", { for: id }, box, h("span", {}, layer.title)),
        h("p", { class: "soft", id: `${id}-words` }, layer.words),
        more,
      );
    }),
  );
}
