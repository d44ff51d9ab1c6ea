// Many lines as one object: thick ones are instances of one segment, thin ones are lines of one pixel, which cost little.

import {
  BufferAttribute,
  BufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Sphere,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Rgb } from "../colours";

/** Lines lie this much over the ground, so that they are not hidden by it [m]. */
export const LIFT = 0.03;

export interface LineStyle {
  /** Pixels. */
  width: number;
  colour?: string;
  opacity?: number;
}

export class Lines {
  readonly object: LineSegments2;
  readonly material: LineMaterial;
  private readonly geometry = new LineSegmentsGeometry();
  private readonly colours: Uint8Array | undefined;
  private readonly colourBuffer: InstancedInterleavedBuffer | undefined;
  private readonly buffer: InstancedInterleavedBuffer;
  /** The segments that are drawn, in their order; all if there is none. */
  private chosen: number[] | undefined;

  /** Draws segments of six numbers each; with `hasColours` each has its own. */
  constructor(
    private readonly positions: Float32Array,
    style: LineStyle,
    hasColours = false,
  ) {
    this.buffer = new InstancedInterleavedBuffer(positions, 6, 1);
    this.geometry.setAttribute("instanceStart", new InterleavedBufferAttribute(this.buffer, 3, 0));
    this.geometry.setAttribute("instanceEnd", new InterleavedBufferAttribute(this.buffer, 3, 3));
    this.geometry.instanceCount = positions.length / 6;
    this.geometry.boundingSphere = new Sphere(undefined, Infinity);
    if (hasColours) {
      this.colours = new Uint8Array(positions.length);
      this.colourBuffer = new InstancedInterleavedBuffer(this.colours, 6, 1);
      this.geometry.setAttribute("instanceColorStart", new InterleavedBufferAttribute(this.colourBuffer, 3, 0, true));
      this.geometry.setAttribute("instanceColorEnd", new InterleavedBufferAttribute(this.colourBuffer, 3, 3, true));
    }
    this.material = new LineMaterial({
      linewidth: style.width,
      color: style.colour ?? "#ffffff",
      vertexColors: hasColours,
      transparent: style.opacity !== undefined,
      opacity: style.opacity ?? 1,
      clipping: true,
    });
    this.object = new LineSegments2(this.geometry, this.material);
    this.object.frustumCulled = false;
    this.object.position.z = LIFT;
  }

  /** Draws only some of the segments. */
  choose(isShown: (segment: number) => boolean): void {
    const all = this.positions;
    const some = this.buffer.array === all ? new Float32Array(all.length) : (this.buffer.array as Float32Array);
    this.chosen = [];
    for (let segment = 0; segment < all.length / 6; segment++) if (isShown(segment)) this.chosen.push(segment);
    this.chosen.forEach((segment, at) => {
      for (let k = 0; k < 6; k++) some[6 * at + k] = all[6 * segment + k];
    });
    this.buffer.array = some;
    this.moved(this.chosen.length);
  }

  /** Gives each segment that is drawn its colour. */
  colour(of: (segment: number) => Rgb): void {
    const { colours, colourBuffer } = this;
    if (!colours || !colourBuffer) return;
    const count = this.chosen?.length ?? colours.length / 6;
    for (let k = 0; k < count; k++) {
      const at = 6 * k;
      const [r, g, b] = of(this.chosen?.[k] ?? k);
      colours[at] = colours[at + 3] = r;
      colours[at + 1] = colours[at + 4] = g;
      colours[at + 2] = colours[at + 5] = b;
    }
    colourBuffer.needsUpdate = true;
  }

  /** The positions were written again; so many segments are drawn. */
  moved(count: number): void {
    this.geometry.instanceCount = count;
    this.buffer.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

export class ThinLines {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly index: BufferAttribute;

  /** Draws segments of six numbers each. */
  constructor(positions: Float32Array) {
    const geometry = new BufferGeometry();
    this.index = new BufferAttribute(Uint32Array.from({ length: positions.length / 3 }, (_, k) => k), 1);
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setIndex(this.index);
    geometry.boundingSphere = new Sphere(undefined, Infinity);
    this.object = new LineSegments(geometry, new LineBasicMaterial());
    this.object.frustumCulled = false;
    this.object.position.z = LIFT;
  }

  /** Draws only some of the segments. */
  choose(isShown: (segment: number) => boolean): void {
    let used = 0;
    for (let segment = 0; segment < this.index.count / 2; segment++) {
      if (!isShown(segment)) continue;
      this.index.array[used++] = 2 * segment;
      this.index.array[used++] = 2 * segment + 1;
    }
    this.index.needsUpdate = true;
    this.object.geometry.setDrawRange(0, used);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
