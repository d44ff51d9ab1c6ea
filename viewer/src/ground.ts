// The ground of the cells: where a ray meets it, what lies under a place, which triangles a cell has.
//
// Idea: triangles come cell by cell, so runs of them lie close together; a box around each run lets a ray skip most. That costs
// one pass to build and needs no tree: some thousand boxes and a few hundred triangles are tested for a ray.

import type { Point } from "./answers";
import type { Show } from "./show";
import { pause, step } from "./steps";

export interface Hit {
  point: Point;
  cell: number;
}

/** Triangles in a run. */
const RUN = 64;
/** Corners of triangles that are boxed in one step, whole runs of them. */
const PIECE = 3 * RUN * 1024;

export class Ground {
  readonly cells: number;
  /** Corners of the box around each run: low x, y, z, high x, y, z. */
  private readonly boxes: Float32Array;
  /** Where the triangles of a cell begin in `order`; one more than cells. */
  private readonly first: Uint32Array;
  private readonly order: Uint32Array;
  /** The mean of each cell's vertices. */
  readonly middles: Float32Array;
  /** Lowest and highest z of each storey. */
  readonly storeys: [number, number][] = [];

  private constructor(
    readonly positions: Float32Array,
    readonly triangles: Uint32Array,
    readonly cellOf: Uint32Array,
    readonly storeyOf: Uint32Array | undefined,
  ) {
    let cells = storeyOf?.length ?? 0;
    for (const cell of cellOf) cells = Math.max(cells, cell + 1);
    this.cells = cells;
    this.boxes = new Float32Array(Math.ceil(triangles.length / 3 / RUN) * 6);
    this.first = new Uint32Array(cells + 1);
    this.order = new Uint32Array(triangles.length / 3);
    this.middles = new Float32Array(cells * 3);
  }

  /** The ground of a show; nothing if it has no cells. */
  static async build(show: Show): Promise<Ground | undefined> {
    const positions = show.floats("cells.positions");
    const triangles = show.numbers("cells.triangles");
    const cellOf = show.numbers("cells.cell");
    if (!positions || !triangles || !cellOf) return undefined;
    const ground = step("count cells", () => new Ground(positions, triangles, cellOf, show.numbers("cell.storey")));
    await pause();
    for (let from = 0; from < triangles.length; from += PIECE) {
      step("box the ground", () => ground.boxRuns(from, Math.min(from + PIECE, triangles.length)));
      await pause();
    }
    step("list the cells' triangles", () => ground.listTriangles());
    await pause();
    step("find the cells' middles", () => ground.findMiddles());
    return ground;
  }

  /** The triangles of a cell. */
  trianglesOf(cell: number): Uint32Array {
    return this.order.subarray(this.first[cell], this.first[cell + 1]);
  }

  middle(cell: number): Point {
    return [this.middles[3 * cell], this.middles[3 * cell + 1], this.middles[3 * cell + 2]];
  }

  /** Whether a cell belongs to what is shown; one that is not known does. */
  isShown(cell: number, storey: number | null): boolean {
    return storey === null || !this.storeyOf || cell >= this.storeyOf.length || this.storeyOf[cell] === storey;
  }

  /** Where a ray first meets the ground that is shown. */
  meet(origin: Point, direction: Point, storey: number | null): Hit | undefined {
    let nearest = Infinity;
    let cell = -1;
    for (let run = 0; run * 6 < this.boxes.length; run++) {
      if (this.enter(run, origin, direction) > nearest) continue;
      const end = Math.min((run + 1) * RUN, this.order.length);
      for (let triangle = run * RUN; triangle < end; triangle++) {
        const at = this.cut(triangle, origin, direction);
        if (at >= nearest) continue;
        const owner = this.cellOf[this.triangles[3 * triangle]];
        if (!this.isShown(owner, storey)) continue;
        nearest = at;
        cell = owner;
      }
    }
    if (cell < 0) return undefined;
    return { cell, point: [0, 1, 2].map((k) => origin[k] + nearest * direction[k]) as Point };
  }

  /** The ground above or below a place, whichever is nearer. */
  under([x, y, z]: Point, storey: number | null): Hit | undefined {
    const down = this.meet([x, y, z + 1e-3], [0, 0, -1], storey);
    const up = this.meet([x, y, z - 1e-3], [0, 0, 1], storey);
    if (!down || !up) return down ?? up;
    return z - down.point[2] <= up.point[2] - z ? down : up;
  }

  private boxRuns(from: number, to: number): void {
    const first = 6 * Math.floor(from / (3 * RUN));
    const last = 6 * Math.ceil(to / (3 * RUN));
    this.boxes.fill(Infinity, first, last);
    for (let k = from; k < to; k++) {
      const box = 6 * Math.floor(k / (3 * RUN));
      const vertex = 3 * this.triangles[k];
      for (let axis = 0; axis < 3; axis++) {
        const at = this.positions[vertex + axis];
        if (at < this.boxes[box + axis]) this.boxes[box + axis] = at;
        // High corners are kept negative while they grow, so that one value fills the array.
        if (-at < this.boxes[box + 3 + axis]) this.boxes[box + 3 + axis] = -at;
      }
    }
    for (let box = first; box < last; box += 6) {
      for (let axis = 3; axis < 6; axis++) this.boxes[box + axis] *= -1;
    }
  }

  private listTriangles(): void {
    const count = this.order.length;
    for (let k = 0; k < count; k++) this.first[this.cellOf[this.triangles[3 * k]] + 1] += 1;
    for (let cell = 0; cell < this.cells; cell++) this.first[cell + 1] += this.first[cell];
    const next = this.first.slice();
    for (let k = 0; k < count; k++) this.order[next[this.cellOf[this.triangles[3 * k]]]++] = k;
  }

  private findMiddles(): void {
    const counts = new Uint32Array(this.cells);
    for (let vertex = 0; vertex < this.cellOf.length; vertex++) {
      const cell = this.cellOf[vertex];
      counts[cell] += 1;
      for (let k = 0; k < 3; k++) this.middles[3 * cell + k] += this.positions[3 * vertex + k];
      const z = this.positions[3 * vertex + 2];
      const storey = this.storeyOf?.[cell] ?? 0;
      const range = (this.storeys[storey] ??= [z, z]);
      if (z < range[0]) range[0] = z;
      if (z > range[1]) range[1] = z;
    }
    for (let k = 0; k < this.middles.length; k++) this.middles[k] /= Math.max(counts[Math.floor(k / 3)], 1);
  }

  /** How far along the ray the box of a run begins; infinite if it is missed. */
  private enter(run: number, origin: Point, direction: Point): number {
    let from = 0;
    let to = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const low = this.boxes[6 * run + axis] - origin[axis];
      const high = this.boxes[6 * run + 3 + axis] - origin[axis];
      const along = direction[axis];
      if (along === 0) {
        if (low > 0 || high < 0) return Infinity;
        continue;
      }
      from = Math.max(from, Math.min(low / along, high / along));
      to = Math.min(to, Math.max(low / along, high / along));
    }
    return from <= to ? from : Infinity;
  }

  /** How far along the ray a triangle is met (Möller and Trumbore 1997); infinite if it is missed. */
  private cut(triangle: number, [ox, oy, oz]: Point, [dx, dy, dz]: Point): number {
    const p = this.positions;
    const a = 3 * this.triangles[3 * triangle];
    const b = 3 * this.triangles[3 * triangle + 1];
    const c = 3 * this.triangles[3 * triangle + 2];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const hx = dy * vz - dz * vy, hy = dz * vx - dx * vz, hz = dx * vy - dy * vx;
    const volume = ux * hx + uy * hy + uz * hz;
    if (volume === 0) return Infinity;
    const sx = ox - p[a], sy = oy - p[a + 1], sz = oz - p[a + 2];
    const one = (sx * hx + sy * hy + sz * hz) / volume;
    if (one < 0 || one > 1) return Infinity;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const two = (dx * qx + dy * qy + dz * qz) / volume;
    if (two < 0 || one + two > 1) return Infinity;
    const at = (vx * qx + vy * qy + vz * qz) / volume;
    return at >= 0 ? at : Infinity;
  }
}
