// Many upright boxes as instances of one, each with its colour: voxels; and level or sloping rectangles: floors.

import {
  BoxGeometry,
  BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  Sphere,
} from "three";
import type { Rgb } from "../colours";

/** Numbers of a box: its low corner, its size, and how much it rises along x. */
const NUMBERS = 7;

const VERTEX = `
attribute vec3 low;
attribute vec3 size;
attribute float rise;
attribute vec3 ink;
varying vec3 paint;
#include <common>
#include <clipping_planes_pars_vertex>
void main() {
  vec3 place = low + position * size + vec3(0.0, 0.0, rise * position.x);
  vec3 side = abs(normal);
  float light = side.z + 0.85 * side.x + 0.72 * side.y;
  paint = ink * light;
  vec4 mvPosition = modelViewMatrix * vec4(place, 1.0);
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

export class Boxes {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  readonly count: number;
  private readonly inks: InstancedBufferAttribute;

  /** Draws boxes of seven numbers each; with `isFlat` only their lower sides, as rectangles. */
  constructor(boxes: Float32Array, isFlat: boolean) {
    this.count = Math.floor(boxes.length / NUMBERS);
    const one = isFlat ? new PlaneGeometry() : new BoxGeometry();
    one.translate(0.5, 0.5, isFlat ? 0 : 0.5);
    const geometry = new InstancedBufferGeometry();
    geometry.setIndex(one.index);
    geometry.setAttribute("position", one.getAttribute("position") as BufferAttribute);
    geometry.setAttribute("normal", one.getAttribute("normal") as BufferAttribute);
    const data = new InstancedInterleavedBuffer(boxes, NUMBERS, 1);
    geometry.setAttribute("low", new InterleavedBufferAttribute(data, 3, 0));
    geometry.setAttribute("size", new InterleavedBufferAttribute(data, 3, 3));
    geometry.setAttribute("rise", new InterleavedBufferAttribute(data, 1, 6));
    this.inks = new InstancedBufferAttribute(new Uint8Array(3 * this.count), 3, true);
    geometry.setAttribute("ink", this.inks);
    geometry.instanceCount = this.count;
    geometry.boundingSphere = new Sphere(undefined, Infinity);
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, clipping: true, side: isFlat ? 2 : 0 });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
  }

  colour(of: (box: number) => Rgb): void {
    const { array } = this.inks;
    for (let box = 0; box < this.count; box++) {
      const ink = of(box);
      array[3 * box] = ink[0];
      array[3 * box + 1] = ink[1];
      array[3 * box + 2] = ink[2];
    }
    this.inks.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

/** The lowest and the highest of boxes [m, from the origin]. */
export function heights(boxes: Float32Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at + NUMBERS <= boxes.length; at += NUMBERS) {
    const [z, rise] = [boxes[at + 2], boxes[at + 6]];
    low = Math.min(low, z, z + rise);
    high = Math.max(high, z, z + rise);
  }
  return [low, high];
}

/** The height of a box's middle. */
export function middle(boxes: Float32Array, box: number): number {
  return boxes[NUMBERS * box + 2] + boxes[NUMBERS * box + 6] / 2;
}
