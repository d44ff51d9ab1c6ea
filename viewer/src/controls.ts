// What else can be set about a layer: a choice or a slider beside its switch. The value lies in `look.options` under the layer's own key,
// so that a new layer needs no line elsewhere.

import { h } from "./dom";
import type { Look, Store } from "./store";

/** What was chosen; at first what is usual. */
export function option(look: Readonly<Look>, key: string, usual: string): string;
export function option(look: Readonly<Look>, key: string, usual: number): number;
export function option({ options }: Readonly<Look>, key: string, usual: string | number): string | number {
  const value = options[key];
  return typeof value === typeof usual ? value : usual;
}

/** One of several, by name and words. */
export function choice(store: Store, key: string, title: string, words: Record<string, string>, usual: string): HTMLElement {
  const chosen = option(store.look, key, usual);
  const select = h(
    "select",
    { id: `option-${key.replace(".", "-")}`, "aria-label": title, onchange: () => set(store, key, select.value) },
    ...Object.entries(words).map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  return h("label", { class: "row" }, h("span", {}, title), select);
}

export interface Range {
  min: number;
  max: number;
  step: number;
  usual: number;
  /** The value in words. */
  words(value: number): string;
}

export function slider(store: Store, key: string, title: string, { min, max, step, usual, words }: Range): HTMLElement {
  const said = h("output", { class: "soft" });
  const input = h("input", {
    type: "range",
    id: `option-${key.replace(".", "-")}`,
    min,
    max,
    step,
    value: option(store.look, key, usual),
    oninput: () => set(store, key, input.valueAsNumber),
  });
  store.on(["options"], (look) => {
    const value = option(look, key, usual);
    said.textContent = words(value);
    input.setAttribute("aria-valuetext", words(value));
  });
  return h("div", {}, h("label", { class: "row" }, h("span", {}, title), input), said);
}

function set(store: Store, key: string, value: string | number): void {
  store.set({ options: { ...store.look.options, [key]: value } });
}
