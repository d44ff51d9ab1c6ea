// Buttons over the picture: views, storeys, keys.

import { h } from "./dom";
import type { Ground } from "./ground";
import type { Show } from "./show";
import type { Store } from "./store";
import { metres } from "./words";

export interface Views {
  fit(): void;
  top(): void;
  help(): void;
}

export function toolbar(store: Store, show: Show, ground: Ground | undefined, views: Views): HTMLElement {
  return h(
    "div",
    { class: "toolbar", role: "toolbar", "aria-label": "View" },
    h("button", { type: "button", id: "fit", title: "Show everything (F)", onclick: views.fit }, "Fit"),
    h("button", { type: "button", id: "top", title: "Look from above (T)", onclick: views.top }, "Top"),
    storeys(store, show, ground),
    h("button", { type: "button", id: "help", title: "Keys (?)", "aria-label": "Keys and pointer", onclick: views.help }, "?"),
  );
}

/** All storeys, or one; nothing if there is only one. */
function storeys(store: Store, show: Show, ground: Ground | undefined): HTMLElement | undefined {
  if (!ground || Object.keys(ground.storeys).length < 2) return undefined;
  const name = (storey: number) => {
    const [low] = ground.storeys[storey];
    return `Storey ${storey}, from ${metres(show.world([0, 0, low])[2], 1)}`;
  };
  const select = h(
    "select",
    {
      id: "storey",
      "aria-label": "Storey",
      onchange: () => store.set({ storey: select.value === "" ? null : Number(select.value) }),
    },
    h("option", { value: "" }, "All storeys"),
    ...Object.keys(ground.storeys).map((storey) => h("option", { value: storey }, name(Number(storey)))),
  );
  store.on(["storey"], ({ storey }) => (select.value = storey === null ? "" : String(storey)));
  return select;
}
