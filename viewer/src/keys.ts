// The keyboard, and the page that tells what its keys do.

import { h } from "./dom";
import type { Pins } from "./pins";
import type { Store } from "./store";
import type { World } from "./world";

const KEYS: [string, string][] = [
  ["F", "show everything"],
  ["T", "look from above"],
  ["S, G", "put the start or the goal under the pointer"],
  ["← ↑ → ↓", "move the picked start or goal by 0.1 m, with Shift by 1 m; else move the view"],
  ["Esc", "let go of it"],
  ["Space", "walk along the path, pause"],
  ["P", "fold the panel"],
  ["?", "show these keys"],
  ["Left button", "turn the view"],
  ["Right button, or Shift and left", "move the view"],
  ["Wheel", "come nearer"],
  ["Double click", "put the goal there, with Shift the start"],
];
const STEP = 0.1;
const BIG_STEP = 1;

export interface Actions {
  fit(): void;
  top(): void;
  fold(): void;
  play(): void;
  pointer(): { x: number; y: number } | undefined;
}

export function keysDialog(): HTMLDialogElement {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "keys-title", id: "keys" },
    h("h2", { id: "keys-title" }, "Keys and pointer"),
    h("dl", {}, ...KEYS.map(([key, words]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)))),
    h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}

export function listenToKeys(store: Store, dialog: HTMLDialogElement, actions: Actions, world?: World, pins?: Pins): void {
  const arrow = (event: KeyboardEvent): boolean => {
    const { picked } = store.look;
    const turn = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!turn || !picked || !world || !pins) return false;
    const [rx, ry] = world.rightAxis();
    const far = event.shiftKey ? BIG_STEP : STEP;
    const [right, up] = turn;
    pins.shift(picked, (right * rx - up * ry) * far, (right * ry + up * rx) * far);
    return true;
  };
  // Before others hear of it: a picked marker has the arrows for itself.
  addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
      const target = event.target as HTMLElement;
      const isField = target.matches("input:not([type=checkbox]), select, textarea");
      if (event.key === "Escape") {
        store.set({ picked: null, along: null });
        target.blur();
        return;
      }
      if (isField) return;
      if (arrow(event)) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      if (event.shiftKey && event.key !== "?") return;
      const isControl = target.matches("button, summary, a, input");
      const work = { f: actions.fit, t: actions.top, p: actions.fold, s: () => put("from"), g: () => put("to") }[event.key.toLowerCase()];
      if (work) work();
      else if (event.key === "?") dialog.showModal();
      else if (event.key === " " && !isControl) actions.play();
      else return;
      event.preventDefault();
    },
    { capture: true },
  );
  const put = (end: "from" | "to") => {
    const at = actions.pointer();
    if (at && pins) pins.moveTo(end, at.x, at.y);
  };
}
