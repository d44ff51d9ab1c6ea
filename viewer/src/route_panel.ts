// Start, goal, radius and what came of them: length, clearance and time line, or the reason why there is no path.

import type { Found, Missing } from "./answers";
import { h } from "./dom";
import { Player } from "./player";
import type { Planner } from "./planner";
import { plot } from "./plot";
import type { Show } from "./show";
import type { End, Store } from "./store";
import { isFlight, trackOf } from "./track";
import { help, metres, obstacle, place, readPlace, time } from "./words";

/** The slider ends where hardly any portal is left, but not later than this [m]; the field takes more. */
const WIDEST = 3;

export function routePanel(store: Store, planner: Planner, show: Show): HTMLElement {
  const { live, routes } = show.about;
  return h(
    "div",
    { class: "stack" },
    !live &&
      h(
        "p",
        { class: "notice", id: "exported" },
        "This page shows and plays, but it does not plan: no server is behind it. To ask for other paths, open the map with ",
        h("code", {}, "wayfare view"),
        ".",
      ),
    routes.length > 0 && routeChoice(store, planner, show),
    live && endField(store, "from", "Start"),
    live && endField(store, "to", "Goal"),
    radiusField(store, show),
    result(store, live),
    plot(store),
    timeLine(store, show.about.regions !== undefined),
  );
}

function routeChoice(store: Store, planner: Planner, show: Show): HTMLElement {
  const { routes } = show.about;
  const select = h(
    "select",
    { id: "route", onchange: () => routes[Number(select.value)] && planner.take(routes[Number(select.value)]) },
    ...routes.map(({ radius, answer }, k) =>
      h("option", { value: k }, `${k + 1}: radius ${metres(radius)}, ${answer.found ? metres(answer.length) : "no path"}`),
    ),
    h("option", { value: "", hidden: true }, "as asked"),
  );
  store.on(["answer"], ({ answer }) => {
    const at = routes.findIndex((route) => route.answer === answer);
    select.value = at < 0 ? "" : String(at);
  });
  return h("label", { class: "row" }, h("span", {}, "Route"), select);
}

function endField(store: Store, end: End, name: string): HTMLElement {
  const input = h("input", {
    type: "text",
    id: `field-${end}`,
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": `${name}: x, y, z in metres`,
    title: "x, y, z in metres",
    onchange: () => {
      const read = readPlace(input.value, store.look[end]);
      input.setCustomValidity(read ? "" : "three numbers: x, y, z");
      if (read) store.set({ [end]: read });
      else input.reportValidity();
    },
  });
  const button = h(
    "button",
    {
      type: "button",
      class: `pick ${end}`,
      "aria-label": `Pick the ${name.toLowerCase()}, to move it with the arrow keys`,
      title: "Pick it, then move it with the arrow keys",
      onclick: () => store.set({ picked: store.look.picked === end ? null : end }),
    },
    name[0],
  );
  store.on([end], (look) => {
    const at = look[end];
    if (at && document.activeElement !== input) input.value = place(at);
  });
  store.on(["picked"], ({ picked }) => button.setAttribute("aria-pressed", String(picked === end)));
  return h("div", { class: "row" }, h("span", { "aria-hidden": "true" }, name), button, input);
}

function radiusField(store: Store, show: Show): HTMLElement {
  const { live } = show.about;
  let most = 0.5;
  for (const radius of show.floats("portals.critical") ?? []) if (Number.isFinite(radius)) most = Math.max(most, radius * 1.1);
  const set = (value: number) => Number.isFinite(value) && value >= 0 && store.set({ radius: Math.round(value * 1000) / 1000 });
  const common = { min: 0, step: 0.01, disabled: !live };
  const slider = h("input", {
    ...common,
    type: "range",
    id: "radius",
    max: (Math.ceil(Math.min(most, WIDEST) * 20) / 20).toFixed(2),
    "aria-label": "Radius of the body in metres",
    oninput: () => set(slider.valueAsNumber),
  });
  const number = h("input", {
    ...common,
    type: "number",
    id: "radius-number",
    "aria-label": "Radius of the body in metres, as a number",
    oninput: () => set(number.valueAsNumber),
  });
  const wide = h("span", { class: "soft" });
  store.on(["radius"], ({ radius }) => {
    slider.value = String(radius);
    slider.style.setProperty("--share", String(radius / Number(slider.max)));
    if (document.activeElement !== number) number.value = radius.toFixed(2);
    wide.textContent = radius > 0 ? `a body ${metres(2 * radius)} wide` : "a point";
  });
  return h(
    "div",
    { class: "field" },
    h("div", { class: "row" }, h("span", { "aria-hidden": "true" }, "Radius"), slider, h("span", { class: "unit" }, number, "m")),
    wide,
  );
}

function result(store: Store, live: boolean): HTMLElement {
  const box = h("div", { class: "result" });
  store.on(["answer", "trouble"], ({ answer, trouble, from, to }) => {
    box.classList.toggle("bad", answer !== null && !answer.found);
    box.hidden = !answer && !trouble && !(from && to);
    if (answer?.found) box.replaceChildren(...found(answer));
    else if (answer) box.replaceChildren(...missing(store, answer, live));
    else box.replaceChildren(h("p", {}, trouble ?? "…"));
  });
  return box;
}

function found(path: Found): HTMLElement[] {
  const fact = (name: string, value: string) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const { clearance, micros, cell_ids, segments, snapped } = path;
  const moved = Math.max(snapped?.start ?? 0, snapped?.goal ?? 0);
  return [
    h("p", { class: "big" }, metres(path.length), h("span", { class: "soft" }, isFlight(path) ? " through the air" : " along the ground")),
    h(
      "dl",
      { class: "facts" },
      fact("clearance", clearance === null || clearance === undefined ? "not known" : metres(clearance)),
      fact(isFlight(path) ? "regions" : "cells", String(cell_ids.length)),
      fact("pieces", String(segments?.length ?? path.points.length - 1)),
      ...(micros === undefined ? [] : [fact("search", time(micros))]),
    ),
    ...(moved > 0.01 ? [h("p", { class: "soft" }, `Start or goal was moved ${metres(moved)} ${isFlight(path) ? "into free space" : "onto the ground"}.`)] : []),
  ];
}

function missing(store: Store, answer: Missing, live: boolean): HTMLElement[] {
  const { reason, available, nearest } = answer;
  const remedies: HTMLElement[] = [];
  const remedy = (words: string, onclick: () => void) =>
    remedies.push(h("button", { type: "button", class: "small", onclick }, words));
  if (reason === "too-narrow" && available !== null) {
    const fits = Math.floor((available + 1e-9) * 1000) / 1000;
    remedy(`Take radius ${metres(fits, 3)}`, () => store.set({ radius: fits }));
  }
  if (nearest && reason !== "disconnected") {
    const isStart = reason === "start-too-tight" || (reason === "off-mesh" && isAt(answer, store, "from"));
    remedy(`Move the ${isStart ? "start" : "goal"} there`, () => store.set({ [isStart ? "from" : "to"]: nearest }));
  }
  return [
    h("p", { class: "big" }, "No path"),
    h("p", {}, h("strong", {}, `${capital(obstacle(answer))}. `), `${capital(help(answer))}.`),
    // Without a server nothing could come of them.
    ...(live && remedies.length > 0 ? [h("div", { class: "buttons" }, ...remedies)] : []),
  ];
}

function isAt({ at }: Missing, store: Store, end: End): boolean {
  const place = store.look[end];
  return place !== null && at.every((x, axis) => Math.abs(x - place[axis]) < 1e-6);
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function timeLine(store: Store, isAir: boolean): HTMLElement {
  const walk = isAir ? "Fly it" : "Walk it";
  const button = h("button", { type: "button", id: "play", onclick: () => player.toggle() }, walk);
  const player = new Player(store, (isPlaying) => (button.textContent = isPlaying ? "Pause" : walk));
  const slider = h("input", {
    type: "range",
    id: "along",
    min: 0,
    max: 1,
    step: "any",
    value: 0,
    "aria-label": "Place along the path",
    oninput: () => {
      const { answer } = store.look;
      player.stop();
      if (answer?.found) store.set({ along: slider.valueAsNumber * trackOf(answer).length });
    },
  });
  const speed = h(
    "select",
    { "aria-label": "Speed of the walk", id: "speed", onchange: () => (player.speed = Number(speed.value)) },
    ...[1, 2, 4, 8].map((times) => h("option", { value: times }, `${times} ×`)),
  );
  const row = h("div", { class: "row timeline" }, button, slider, speed);
  store.on(["answer", "along"], ({ answer, along }) => {
    row.hidden = !answer?.found;
    if (!answer?.found) return;
    const { length } = trackOf(answer);
    const share = along === null || length === 0 ? 0 : along / length;
    slider.value = String(share);
    slider.style.setProperty("--share", String(share));
    slider.setAttribute("aria-valuetext", along === null ? "not walking" : `after ${metres(along, 1)} of ${metres(length, 1)}`);
  });
  return row;
}
