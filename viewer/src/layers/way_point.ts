// The way point: where a body at the start heads for first.

import type { Point } from "../answers";
import { INKS } from "../colours";
import type { LayerKind } from "./layer";
import { LIFT, Lines } from "./lines";

const SIDES = 24;
const SIZE = 0.14;

export const wayPoint: LayerKind = {
  name: "way-point",
  title: "Way point",
  words: "Where a body at the start heads for first, on the part of the portal that it may use.",
  legend: ({ theme, answer }) =>
    answer?.found && answer.way_point ? [{ colour: INKS[theme].wayPoint, mark: "ring", words: "way point of the start" }] : [],
  build({ show, ground }) {
    if (!ground) return undefined;
    // A ring, and the way to it.
    const positions = new Float32Array(6 * (SIDES + 1));
    const lines = new Lines(positions, { width: 2, opacity: 1 });
    lines.material.depthTest = false;
    lines.object.position.z = 3 * LIFT;
    lines.object.renderOrder = 12;

    function draw(from: Point, [x, y, z]: Point): void {
      const corner = (side: number): Point => {
        const angle = (2 * Math.PI * side) / SIDES;
        return [x + SIZE * Math.cos(angle), y + SIZE * Math.sin(angle), z];
      };
      for (let side = 0; side < SIDES; side++) positions.set([...corner(side), ...corner(side + 1)], 6 * side);
      const far = Math.hypot(x - from[0], y - from[1]);
      const share = far > SIZE ? 1 - SIZE / far : 0;
      positions.set([...from, ...([x, y, z] as const).map((at, axis) => from[axis] + (at - from[axis]) * share)], 6 * SIDES);
      lines.moved(SIDES + 1);
    }

    return {
      object: lines.object,
      update({ theme, answer }, changed) {
        if (changed.has("theme")) lines.material.color.set(INKS[theme].wayPoint);
        if (!changed.has("answer")) return;
        if (answer?.found && answer.way_point) draw(show.local(answer.points[0]), show.local(answer.way_point));
        else lines.moved(0);
      },
      dispose: () => lines.dispose(),
    };
  },
};
