// A plane that cuts a layer open: what lies behind it along an axis is not drawn. The layer gives its planes to its materials, its controls to
// its panel, and tells it when options change.

import { Plane, Vector3 } from "three";
import { choice, option, slider } from "./controls";
import { h } from "./dom";
import type { Show } from "./show";
import type { Look, Store } from "./store";
import { metres } from "./words";

const AXES = ["x", "y", "z"] as const;
const NONE = "none";
/** Farther than anything [m]. */
const FAR = 1e7;
/** The plane lies in the middle at first. */
const MIDDLE = 0.5;

export class Cut {
  /** The number of planes never changes, so that programs are not made again. */
  readonly planes = [new Plane(new Vector3(0, 0, -1), FAR)];

  constructor(
    private readonly layer: string,
    private readonly show: Show,
  ) {}

  static controls(store: Store, layer: string, show: Show): HTMLElement {
    const words = { [NONE]: "nothing", x: "what is right of x", y: "what is behind y", z: "what is over z" };
    const where = slider(store, `${layer}.cut`, "Place of the cut", {
      min: 0,
      max: 1,
      step: 0.005,
      usual: MIDDLE,
      words: (share) => {
        const axis = axisOf(store.look, layer);
        return axis < 0 ? "" : `${AXES[axis]} = ${metres(placeOf(show, axis, share))}`;
      },
    });
    store.on(["options"], (look) => (where.hidden = axisOf(look, layer) < 0));
    return h("div", {}, choice(store, `${layer}.axis`, "Cut off", words, NONE), where);
  }

  update(look: Readonly<Look>): Plane[] {
    const axis = axisOf(look, this.layer);
    const [plane] = this.planes;
    plane.normal.set(0, 0, 0).setComponent(Math.max(axis, 0), -1);
    plane.constant = axis < 0 ? FAR : placeOf(this.show, axis, option(look, `${this.layer}.cut`, MIDDLE)) - this.show.about.origin[axis];
    return this.planes;
  }
}

function axisOf(look: Readonly<Look>, layer: string): number {
  return AXES.indexOf(option(look, `${layer}.axis`, NONE) as (typeof AXES)[number]);
}

/** A share of the way through everything, in the world [m]. */
function placeOf({ about: { bounds } }: Show, axis: number, share: number): number {
  return bounds[0][axis] + (bounds[1][axis] - bounds[0][axis]) * share;
}
