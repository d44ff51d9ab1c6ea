// The clearance along the path as a plot; the pointer over it shows the place on the path.

import type { Found } from "./answers";
import { h, svg } from "./dom";
import type { Store } from "./store";
import { trackOf } from "./track";
import { metres } from "./words";

const WIDE = 308;
const HIGH = 112;
const LEFT = 34;
const RIGHT = 6;
const TOP = 10;
const BOTTOM = 20;

export function plot(store: Store): HTMLElement {
  const drawing = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "plot", role: "img" });
  const words = h("figcaption", {});
  const figure = h("figure", { class: "profile", hidden: true }, drawing, words);
  const cursor = svg("line", { class: "cursor", y1: TOP, y2: HIGH - BOTTOM });
  const dot = svg("circle", { class: "dot", r: 3.5 });
  let scale: { length: number; most: number } | undefined;
  const x = (distance: number) => LEFT + (distance / Math.max(scale!.length, 1e-9)) * (WIDE - LEFT - RIGHT);
  const y = (room: number) => HIGH - BOTTOM - (room / scale!.most) * (HIGH - TOP - BOTTOM);

  function draw(path: Found): void {
    const profile = path.profile ?? [];
    const least = Math.min(...profile.map(([, room]) => room));
    const highest = profile.reduce((most, [, room]) => Math.max(most, room), path.radius);
    // Wide open places would flatten all that matters.
    const most = Math.min(highest, Math.max(4 * path.radius, 4 * least, 1)) * 1.08;
    scale = { length: trackOf(path).length, most };
    const line = profile.map(([distance, room]) => `${x(distance).toFixed(1)} ${y(Math.min(room, most)).toFixed(1)}`).join("L");
    const floor = HIGH - BOTTOM;
    drawing.replaceChildren(
      ...[0, most / 2.16, most / 1.08].flatMap((room) => [
        svg("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(room), y2: y(room) }),
        svg("text", { x: LEFT - 5, y: y(room) + 3.5, "text-anchor": "end" }, room.toFixed(most < 2 ? 2 : 1)),
      ]),
      svg("path", { class: "area", d: `M${x(0)} ${floor}L${line}L${x(scale.length)} ${floor}Z` }),
      svg("path", { class: "curve", d: `M${line}` }),
      ...(path.radius > 0
        ? [svg("line", { class: "radius", x1: LEFT, x2: WIDE - RIGHT, y1: y(path.radius), y2: y(path.radius) })]
        : []),
      svg("text", { x: LEFT, y: HIGH - 6 }, "0 m"),
      svg("text", { x: WIDE - RIGHT, y: HIGH - 6, "text-anchor": "end" }, metres(scale.length, 1)),
      cursor,
      dot,
    );
    drawing.setAttribute("aria-label", `Clearance along the path: at least ${metres(least)}, the body's radius is ${metres(path.radius)}`);
  }

  function mark(path: Found, along: number | null): void {
    const room = along === null ? undefined : trackOf(path).clearance(along);
    const isSeen = along !== null && room !== undefined && scale !== undefined;
    cursor.toggleAttribute("hidden", !isSeen);
    dot.toggleAttribute("hidden", !isSeen);
    if (!isSeen) {
      words.textContent = "Distance to the nearest obstacle along the path [m]; dashed: the body's radius";
      return;
    }
    cursor.setAttribute("x1", String(x(along)));
    cursor.setAttribute("x2", String(x(along)));
    dot.setAttribute("cx", String(x(along)));
    dot.setAttribute("cy", String(y(Math.min(room, scale!.most))));
    words.textContent = `${metres(room)} clear after ${metres(along, 1)}`;
  }

  drawing.addEventListener("pointermove", (event) => {
    if (!scale) return;
    const area = drawing.getBoundingClientRect();
    const share = (((event.clientX - area.left) / area.width) * WIDE - LEFT) / (WIDE - LEFT - RIGHT);
    store.set({ along: Math.min(Math.max(share, 0), 1) * scale.length });
  });
  drawing.addEventListener("pointerleave", () => store.set({ along: null }));
  store.on(["answer", "along"], ({ answer, along }) => {
    const isThere = answer !== null && answer.found && (answer.profile?.length ?? 0) > 1;
    figure.hidden = !isThere;
    if (!isThere) return;
    if (figure.dataset.of !== name(answer)) draw(answer);
    figure.dataset.of = name(answer);
    mark(answer, along);
  });
  return figure;
}

const names = new WeakMap<Found, string>();
let count = 0;

/** A name for each answer, to see whether it is drawn already. */
function name(path: Found): string {
  const known = names.get(path) ?? String(++count);
  names.set(path, known);
  return known;
}
