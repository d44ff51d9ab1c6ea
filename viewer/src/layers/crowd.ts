// A crowd that moves: bodies as cylinders at the moment of the time line; between two frames they are where they would be if they
// moved straight. Its own buttons play it.

import { BufferAttribute, CylinderGeometry, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, Sphere } from "three";
import { AMOUNTS, amount } from "../colours";
import { choice, option } from "../controls";
import { h } from "../dom";
import type { Show } from "../show";
import { frame, step } from "../steps";
import type { Store } from "../store";
import type { LayerKind } from "./layer";

const TIME = "crowd.time";
const PACE = "crowd.pace";
const PACES = { "1": "as it was", "2": "twice as fast", "5": "5 times", "20": "20 times" };
const SIDES = 20;
/** How high bodies are drawn [m]. */
const HEIGHT = 1.7;

const VERTEX = `
attribute vec4 place;
attribute vec3 ink;
varying vec3 paint;
#include <common>
#include <clipping_planes_pars_vertex>
void main() {
  paint = ink * (0.7 + 0.3 * max(normal.z, 0.0) + 0.12 * normal.x);
  vec4 mvPosition = modelViewMatrix * vec4(place.xyz + position * vec3(place.w, place.w, 1.0), 1.0);
  gl_Position = projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
}`;
const FRAGMENT = `
varying vec3 paint;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  gl_FragColor = vec4(paint, 1.0);
}`;

interface Crowd {
  /** Frames per second, and how long all of them last [s]. */
  rate: number;
  end: number;
  /** Where the rows of each frame start, and where they end. */
  starts: Uint32Array;
  bodies: Uint32Array;
  positions: Float32Array;
  radii: Float32Array;
  smallest: number;
  largest: number;
  /** Most bodies in a frame. */
  most: number;
}

const known = new WeakMap<Show, Crowd | null>();

function crowdOf(show: Show): Crowd | undefined {
  let crowd = known.get(show);
  if (crowd === undefined) {
    crowd = step("look at the crowd", () => read(show));
    known.set(show, crowd);
  }
  return crowd ?? undefined;
}

function read(show: Show): Crowd | null {
  const rate = show.about.crowd?.frame_rate;
  const [starts, bodies] = [show.numbers("crowd.starts"), show.numbers("crowd.body")];
  const [positions, radii] = [show.floats("crowd.positions"), show.floats("crowd.radii")];
  if (!rate || !starts || !bodies || !positions || !radii) return null;
  let [smallest, largest, most] = [Infinity, 0, 0];
  for (const radius of radii) [smallest, largest] = [Math.min(smallest, radius), Math.max(largest, radius)];
  for (let k = 1; k < starts.length; k++) most = Math.max(most, starts[k] - starts[k - 1]);
  return { rate, end: Math.max(starts.length - 2, 0) / rate, starts, bodies, positions, radii, smallest, largest, most };
}

/** Where everybody is at a time: x, y, z and radius into `places`; who it is into `who`; how many. */
function placesAt({ rate, starts, bodies, positions, radii }: Crowd, time: number, places: Float32Array, who: Uint32Array): number {
  const last = starts.length - 2;
  const now = Math.min(Math.max(Math.floor(time * rate + 1e-6), 0), last);
  const share = Math.min(Math.max(time * rate - now, 0), 1);
  // Rows of a frame are by rising number: both frames are gone through side by side.
  let next = now < last ? starts[now + 1] : bodies.length;
  const end = now < last ? starts[now + 2] : bodies.length;
  let count = 0;
  for (let row = starts[now]; row < starts[now + 1]; row++, count++) {
    const body = bodies[row];
    while (next < end && bodies[next] < body) next++;
    const to = next < end && bodies[next] === body ? next : row;
    for (let axis = 0; axis < 3; axis++) {
      const from = positions[3 * row + axis];
      places[4 * count + axis] = from + (positions[3 * to + axis] - from) * share;
    }
    places[4 * count + 3] = radii[body] ?? 0.2;
    who[count] = body;
  }
  return count;
}

const seconds = (time: number) => `${time.toFixed(1)} s`;

export const crowd: LayerKind = {
  name: "crowd",
  title: "Crowd",
  words: "Where everybody is at the moment that the time line tells.",
  legend(_, show) {
    const { smallest, largest } = crowdOf(show) ?? { smallest: 0, largest: 0 };
    const cm = (radius: number) => `${Math.round(200 * radius)} cm`;
    return smallest < largest
      ? [{ colour: AMOUNTS, mark: "area", words: `bodies, ${cm(smallest)} to ${cm(largest)} wide` }]
      : [{ colour: AMOUNTS[2], mark: "area", words: `bodies, ${cm(largest)} wide` }];
  },
  controls(store, show) {
    const end = crowdOf(show)?.end ?? 0;
    return h("div", {}, timeLine(store, end), choice(store, PACE, "Pace", PACES, "1"));
  },
  build({ show }) {
    const all = crowdOf(show);
    if (!all) return undefined;
    const one = new CylinderGeometry(1, 1, HEIGHT, SIDES).rotateX(Math.PI / 2).translate(0, 0, HEIGHT / 2);
    const geometry = new InstancedBufferGeometry();
    geometry.setIndex(one.index);
    geometry.setAttribute("position", one.getAttribute("position") as BufferAttribute);
    geometry.setAttribute("normal", one.getAttribute("normal") as BufferAttribute);
    const places = new InstancedBufferAttribute(new Float32Array(4 * all.most), 4);
    const inks = new InstancedBufferAttribute(new Uint8Array(3 * all.most), 3, true);
    const who = new Uint32Array(all.most);
    geometry.setAttribute("place", places);
    geometry.setAttribute("ink", inks);
    geometry.boundingSphere = new Sphere(undefined, Infinity);
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, clipping: true });
    const object = new Mesh(geometry, material);
    object.frustumCulled = false;
    const range = Math.max(all.largest - all.smallest, 1e-9);
    return {
      object,
      update(look, changed) {
        if (!changed.has("options")) return;
        step("move the crowd", () => {
          const count = placesAt(all, option(look, TIME, 0), places.array as Float32Array, who);
          for (let k = 0; k < count; k++) {
            const share = all.largest > all.smallest ? (all.radii[who[k]] - all.smallest) / range : 0.4;
            inks.array.set(amount(share), 3 * k);
          }
          geometry.instanceCount = count;
          places.needsUpdate = true;
          inks.needsUpdate = true;
        });
      },
      dispose() {
        one.dispose();
        geometry.dispose();
        material.dispose();
      },
    };
  },
};

/** A slider in seconds, and a button that lets time go by. */
function timeLine(store: Store, end: number): HTMLElement {
  const said = h("output", { class: "soft", id: "crowd-said" });
  const set = (time: number) => store.set({ options: { ...store.look.options, [TIME]: time } });
  const input = h("input", { type: "range", id: "option-crowd-time", min: 0, max: end, step: 0.1, oninput: () => set(input.valueAsNumber) });
  let last: number | undefined;
  let isPlaying = false;
  const state = (plays: boolean) => {
    isPlaying = plays;
    button.textContent = plays ? "Pause" : "Play";
  };
  const walk = (now: number) => {
    if (!isPlaying || !button.isConnected) return state(false);
    const gone = ((now - (last ?? now)) / 1000) * Number(option(store.look, PACE, "1"));
    last = now;
    const time = Math.min(option(store.look, TIME, 0) + gone, end);
    set(time);
    if (time >= end) state(false);
    else requestAnimationFrame((later) => frame(() => walk(later)));
  };
  const button = h("button", {
    type: "button",
    id: "crowd-play",
    class: "small",
    onclick: () => {
      if (isPlaying) return state(false);
      if (option(store.look, TIME, 0) >= end) set(0);
      last = undefined;
      state(true);
      requestAnimationFrame((now) => frame(() => walk(now)));
    },
  }, "Play");
  store.on(["options"], (look) => {
    const time = option(look, TIME, 0);
    input.valueAsNumber = time;
    said.textContent = `${seconds(time)} of ${seconds(end)}`;
    input.setAttribute("aria-valuetext", seconds(time));
  });
  return h("div", {}, h("label", { class: "row" }, h("span", {}, "Time"), input), h("div", { class: "row" }, said, button));
}
