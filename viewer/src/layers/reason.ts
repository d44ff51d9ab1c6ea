// Where and why there is no path: the body that does not fit, the largest that would, and the gap between pieces of ground.

import { Group } from "three";
import type { Missing, Point } from "../answers";
import { INKS, rgb, type Rgb, type Theme } from "../colours";
import type { LayerKind } from "./layer";
import { LIFT, Lines } from "./lines";

const SIDES = 48;

export const reason: LayerKind = {
  name: "reason",
  title: "Obstacle",
  words: "If there is no path: the place that stops the body, and what would fit.",
  legend: ({ theme, answer }) =>
    answer && !answer.found
      ? [
          { colour: INKS[theme].trouble, mark: "ring", words: "what the body needs, or the gap in the ground" },
          { colour: INKS[theme].fits, mark: "ring", words: "what fits, or where it would" },
        ]
      : [],
  build({ show, ground }) {
    if (!ground) return undefined;
    // Never seen: the program of coloured lines is made with it, not when the first obstacle is met.
    const unseen = new Lines(new Float32Array(6), { width: 1, opacity: 1 }, true);
    unseen.object.visible = false;
    const object = new Group().add(unseen.object);
    let lines: Lines | undefined;

    function draw(missing: Missing, theme: Theme): void {
      const { trouble, fits } = INKS[theme];
      const pieces: [Point, Point, Rgb][] = [];
      const ring = (centre: Point, radius: number, ink: string) => {
        for (let side = 0; side < SIDES; side++) {
          const ends = [side, side + 1].map((k): Point => {
            const angle = (2 * Math.PI * k) / SIDES;
            return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle), centre[2]];
          });
          pieces.push([ends[0], ends[1], rgb(ink)]);
        }
      };
      const isTight = missing.reason.startsWith("too-") || missing.reason.endsWith("-tight");
      if (isTight && missing.needed) ring(missing.at, missing.needed, trouble);
      if (isTight && missing.available) ring(missing.at, missing.available, fits);
      if (missing.nearest) {
        pieces.push([missing.at, missing.nearest, rgb(fits)]);
        ring(missing.nearest, isTight && missing.needed ? missing.needed : 0.2, fits);
      }
      if (missing.closest) {
        pieces.push([missing.closest.from, missing.closest.to, rgb(trouble)]);
        for (const end of [missing.closest.from, missing.closest.to]) ring(end, 0.15, trouble);
      }
      if (pieces.length === 0) return;
      const positions = new Float32Array(pieces.flatMap(([from, to]) => [...show.local(from), ...show.local(to)]));
      lines = new Lines(positions, { width: 3.5, opacity: 1 }, true);
      lines.colour((piece) => pieces[piece][2]);
      lines.material.depthTest = false;
      lines.object.position.z = 2 * LIFT;
      lines.object.renderOrder = 11;
      object.add(lines.object);
    }

    function clear(): void {
      lines?.object.removeFromParent();
      lines?.dispose();
      lines = undefined;
    }

    return {
      object,
      update({ answer, theme }, changed) {
        if (!changed.has("answer") && !changed.has("theme")) return;
        clear();
        if (answer && !answer.found) draw(answer, theme);
      },
      dispose() {
        clear();
        unseen.dispose();
      },
    };
  },
};
