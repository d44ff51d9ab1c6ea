// The bar below the picture: what came of the last question, and what is under the pointer.

import type { Planner } from "./planner";
import { h } from "./dom";
import type { Ground } from "./ground";
import type { Show } from "./show";
import { frame } from "./steps";
import type { Store } from "./store";
import { isFlight } from "./track";
import { metres, place, why } from "./words";
import type { World } from "./world";

export interface Status {
  bar: HTMLElement;
  /** Where the pointer is over the picture. */
  pointer(): { x: number; y: number } | undefined;
  /** Watches the pointer over a picture. */
  watch(world: World, show: () => Show, ground: () => Ground | undefined, planner: Planner): void;
}

export function statusBar(store: Store): Status {
  const said = h("div", { role: "status", class: "said", id: "said" });
  const here = h("div", { class: "here", "aria-label": "Under the pointer" });
  let last: { x: number; y: number } | undefined;
  store.on(["answer", "trouble"], ({ answer, trouble }) => {
    said.classList.toggle("bad", Boolean(trouble) || (answer !== null && !answer.found));
    if (trouble) said.textContent = `No answer: ${trouble}`;
    else if (!answer) said.textContent = "";
    else if (!answer.found) said.textContent = why(answer);
    else {
      const clear = answer.clearance === null || answer.clearance === undefined ? "" : `, ${metres(answer.clearance)} clear`;
      const [name, part] = isFlight(answer) ? ["Flight", "region"] : ["Path", "cell"];
      const parts = answer.cell_ids.length;
      said.textContent = `${name} of ${metres(answer.length)}${clear}, through ${parts} ${part}${parts === 1 ? "" : "s"}.`;
    }
  });

  function watch(world: World, show: () => Show, ground: () => Ground | undefined, planner: Planner): void {
    let isAsked = false;
    const tell = () => {
      isAsked = false;
      if (!last || !ground()) {
        here.replaceChildren();
        return;
      }
      const { origin, direction } = world.ray(last.x, last.y);
      const hit = ground()?.meet(origin, direction, store.look.storey);
      if (!hit) {
        here.replaceChildren("no ground");
        return;
      }
      const at = show().world(hit.point);
      const storey = show().numbers("cell.storey")?.[hit.cell];
      const tag = show().about.tags[show().bytes("cell.tag")?.[hit.cell] ?? -1];
      const room = h("span", { class: "room" });
      const middle = show().floats("cell.clearance")?.[hit.cell] ?? -1;
      if (!show().about.live && middle >= 0) room.textContent = `${metres(middle)} clear in its middle`;
      here.replaceChildren(
        h("span", { class: "numbers" }, place(at)),
        h("span", {}, `cell ${hit.cell}`),
        ...(storey === undefined ? [] : [h("span", {}, `storey ${storey}`)]),
        ...(tag === undefined ? [] : [h("span", {}, tag)]),
        room,
      );
      planner.locate(at, ({ clearance }) => {
        if (clearance !== null && clearance !== undefined) room.textContent = `${metres(clearance)} clear`;
      });
    };
    const move = (event: PointerEvent) => {
      last = { x: event.clientX, y: event.clientY };
      // While the view is turned there are better things to do.
      if (isAsked || event.buttons !== 0) return;
      isAsked = true;
      requestAnimationFrame(() => frame(tell));
    };
    world.canvas.addEventListener("pointermove", move);
    world.canvas.addEventListener("pointerleave", () => {
      last = undefined;
      requestAnimationFrame(() => frame(tell));
    });
  }
  return { bar: h("footer", { class: "status" }, said, here), pointer: () => last, watch };
}
