// What a layer is. A new one is a file beside this that exports a `LayerKind`, and its line in `index.ts`: its switch, its legend and
// its words then appear by themselves.

import type { BufferAttribute, GLBufferAttribute, Object3D } from "three";
import type { Ground } from "../ground";
import type { Show } from "../show";
import type { Look, Store } from "../store";

export interface LegendItem {
  /** CSS colour, or several for a gradient. */
  colour: string | readonly string[];
  mark: "area" | "line" | "thin" | "ring";
  words: string;
}

/** What layers are built of. */
export interface Stage {
  show: Show;
  ground: Ground | undefined;
  /** Positions of parts, however many there are. */
  positions(array: Float32Array): BufferAttribute | GLBufferAttribute;
}

export interface Layer {
  object: Object3D;
  /** Large parts, which are uploaded one frame after the other. */
  parts?: Object3D[];
  /** Draws what changed; `changed` holds every key at first. */
  update(look: Readonly<Look>, changed: ReadonlySet<keyof Look>): void;
  dispose(): void;
}

export interface LayerKind {
  name: string;
  title: string;
  /** What it shows, in a sentence. */
  words: string;
  /** What its colours mean. */
  legend(look: Readonly<Look>, show: Show): LegendItem[];
  /** More that can be set, beside the switch. */
  controls?(store: Store, show: Show): HTMLElement;
  isHiddenAtFirst?: boolean;
  /** Nothing if the show lacks its arrays. */
  build(stage: Stage): Layer | undefined;
}
