// A path by the distance from its start, measured in plan as its clearance profile is; through the air it is measured as it is.

import type { Found, Point } from "./answers";

/** Whether it leads through the air only. */
export function isFlight({ segments }: Found): boolean {
  return segments !== undefined && segments.length > 0 && segments.every(({ kind }) => kind === "fly");
}

export class Track {
  readonly length: number;
  private readonly distances: number[] = [0];

  constructor(private readonly path: Found) {
    const { points } = path;
    const axes = isFlight(path) ? [0, 1, 2] : [0, 1];
    for (let k = 1; k < points.length; k++) {
      this.distances.push(this.distances[k - 1] + Math.hypot(...axes.map((axis) => points[k][axis] - points[k - 1][axis])));
    }
    this.length = this.distances[points.length - 1] ?? 0;
  }

  at(distance: number): Point {
    const { points } = this.path;
    const next = this.distances.findIndex((reached) => reached >= distance);
    if (next === 0 || points.length < 2) return points[0];
    if (next < 0) return points[points.length - 1];
    const [from, to] = [this.distances[next - 1], this.distances[next]];
    const share = to > from ? (distance - from) / (to - from) : 0;
    return points[next].map((x, axis) => points[next - 1][axis] + (x - points[next - 1][axis]) * share) as Point;
  }

  /** The clearance there, where a profile came along. */
  clearance(distance: number): number | undefined {
    const profile = this.path.profile ?? [];
    const next = profile.findIndex(([reached]) => reached >= distance);
    if (profile.length === 0) return undefined;
    if (next <= 0) return next === 0 ? profile[0][1] : profile[profile.length - 1][1];
    const [[from, a], [to, b]] = [profile[next - 1], profile[next]];
    return to > from ? a + ((b - a) * (distance - from)) / (to - from) : b;
  }
}

let last: { path: Found; track: Track } | undefined;

/** The track of a path, made once for each. */
export function trackOf(path: Found): Track {
  if (last?.path !== path) last = { path, track: new Track(path) };
  return last.track;
}
