// Portals thin, and thick over them the part that a body of the chosen radius may use.

import { Group } from "three";
import { INKS } from "../colours";
import { step } from "../steps";
import { metres } from "../words";
import type { LayerKind } from "./layer";
import { LIFT, Lines, ThinLines } from "./lines";

export const portals: LayerKind = {
  name: "portals",
  title: "Portals",
  words: "Where one cell passes into the next; thick is the part that a body of this radius may use.",
  legend: ({ theme, radius }) => [
    { colour: INKS[theme].portal, mark: "thin", words: "portal" },
    { colour: INKS[theme].usable, mark: "line", words: `its part for radius ${metres(radius)}` },
  ],
  build({ show, ground }) {
    const positions = show.floats("portals.positions");
    if (!positions) return undefined;
    const cells = show.numbers("portals.cells");
    const critical = show.floats("portals.critical");
    const count = positions.length / 6;
    const thin = new ThinLines(positions);
    const parts = new Float32Array(positions.length);
    const thick = new Lines(parts, { width: 4 });
    thick.object.position.z = LIFT * 1.2;
    thin.object.renderOrder = 2;
    thick.object.renderOrder = 3;
    const object = new Group().add(thin.object, thick.object);

    const isShown = (portal: number, storey: number | null) =>
      !ground || !cells || ground.isShown(cells[2 * portal], storey) || ground.isShown(cells[2 * portal + 1], storey);

    /** The usable part; without an answer, all of each portal that is wide enough. */
    function shrink(shares: Float32Array | null, radius: number, storey: number | null): void {
      let used = 0;
      for (let k = 0; k < count; k++) {
        let from = 0;
        let to = 1;
        if (shares) {
          from = shares[2 * k];
          to = shares[2 * k + 1];
        } else if (critical && critical[k] >= 0 && critical[k] < radius) continue;
        if (from < 0 || to < from) continue;
        if (!isShown(k, storey)) continue;
        for (let axis = 0; axis < 3; axis++) {
          const a = positions![6 * k + axis];
          const b = positions![6 * k + 3 + axis];
          parts[6 * used + axis] = a + (b - a) * from;
          parts[6 * used + 3 + axis] = a + (b - a) * to;
        }
        used += 1;
      }
      thick.moved(used);
    }

    let chosen: number | null = null;
    return {
      object,
      update(look, changed) {
        if (changed.has("theme")) {
          thin.object.material.color.set(INKS[look.theme].portal);
          thick.material.color.set(INKS[look.theme].usable);
        }
        if (look.storey !== chosen) {
          thin.choose((portal) => isShown(portal, look.storey));
          chosen = look.storey;
        }
        const isNew = changed.has("shares") || changed.has("storey") || (changed.has("radius") && !look.shares);
        if (isNew) step("shrink portals", () => shrink(look.shares, look.radius, look.storey));
      },
      dispose() {
        thin.dispose();
        thick.dispose();
      },
    };
  },
};
