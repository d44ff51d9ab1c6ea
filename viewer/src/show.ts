// The show: what is drawn, as one binary file of JSON and arrays. `docs/viewer.md` specifies it.

import type { PathAnswer, Point } from "./answers";
import { pause, step } from "./steps";

export type Numbers = Float32Array | Uint32Array | Uint8Array;

export interface Route {
  from: Point;
  to: Point;
  radius: number;
  answer: PathAnswer;
}

export type Setting = number | boolean | string | null | Point[];

/** What the JSON of a show holds. */
interface About {
  title: string;
  command: string;
  origin: Point;
  bounds: [Point, Point];
  live: boolean;
  settings: Record<string, Setting> | null;
  facts: Record<string, unknown>;
  tags: string[];
  routes: Route[];
  surface?: { fields: { name: string; unit: string }[] };
  regions?: { kinds: string[] };
  crowd?: { frame_rate: number };
}

interface Place {
  type: "f32" | "u32" | "u8";
  at: number;
  count: number;
}

const MAGIC = "WAYSHOW1";
const HEAD = 12;
const TYPES = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array };

export class Show {
  private constructor(
    readonly about: About,
    private readonly arrays: ReadonlyMap<string, Numbers>,
  ) {}

  /** Reads a show; arrays are views of the file, nothing is copied. */
  static parse(file: ArrayBuffer): Show {
    const bytes = new Uint8Array(file);
    if (bytes.length < HEAD || String.fromCharCode(...bytes.subarray(0, 8)) !== MAGIC) {
      throw new Error("this is not a show of wayfare");
    }
    const length = new DataView(file).getUint32(8, true);
    const start = HEAD + length;
    if (start > bytes.length) throw new Error("the show ends within its description");
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(HEAD, start))) as Partial<About> & {
      arrays?: Record<string, Place>;
    };
    const arrays = new Map<string, Numbers>();
    for (const [name, { type, at, count }] of Object.entries(json.arrays ?? {})) {
      const Type = TYPES[type];
      if (!Type || start + at + count * Type.BYTES_PER_ELEMENT > bytes.length) {
        throw new Error(`the show's array ${name} is cut off`);
      }
      arrays.set(name, new Type(file, start + at, count));
    }
    const about: About = {
      title: json.title ?? "map",
      command: json.command ?? "",
      origin: json.origin ?? [0, 0, 0],
      bounds: json.bounds ?? [[0, 0, 0], [1, 1, 1]],
      live: json.live ?? false,
      settings: json.settings ?? null,
      facts: json.facts ?? {},
      tags: json.tags ?? [],
      routes: json.routes ?? [],
      surface: json.surface,
      regions: json.regions,
      crowd: json.crowd,
    };
    return new Show(about, arrays);
  }

  floats(name: string): Float32Array | undefined {
    const array = this.arrays.get(name);
    return array instanceof Float32Array && array.length > 0 ? array : undefined;
  }

  numbers(name: string): Uint32Array | undefined {
    const array = this.arrays.get(name);
    return array instanceof Uint32Array && array.length > 0 ? array : undefined;
  }

  bytes(name: string): Uint8Array | undefined {
    const array = this.arrays.get(name);
    return array instanceof Uint8Array && array.length > 0 ? array : undefined;
  }

  /** From the world to where things are drawn. */
  local([x, y, z]: Point): Point {
    const [ox, oy, oz] = this.about.origin;
    return [x - ox, y - oy, z - oz];
  }

  /** From where things are drawn to the world. */
  world([x, y, z]: Point): Point {
    const [ox, oy, oz] = this.about.origin;
    return [x + ox, y + oy, z + oz];
  }
}

/** The show that came along in the page, or the server's. */
export async function loadShow(): Promise<Show> {
  const inside = document.getElementById("show");
  if (inside) return parse(await decode(inside.textContent ?? ""));
  return fetchShow("show.bin");
}

export async function fetchShow(address: string): Promise<Show> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the show cannot be fetched: ${response.status} ${response.statusText}`);
  return parse(await response.arrayBuffer());
}

function parse(file: ArrayBuffer): Show {
  return step("read the show", () => Show.parse(file));
}

/** Base64 to bytes, in pieces, so that the page stays awake. */
async function decode(text: string): Promise<ArrayBuffer> {
  const PIECE = 1 << 20;
  const clean = text.trim();
  const padding = clean.endsWith("==") ? 2 : clean.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((clean.length / 4) * 3 - padding);
  for (let from = 0, at = 0; from < clean.length; from += PIECE) {
    step("decode the show", () => {
      const piece = atob(clean.slice(from, from + PIECE));
      for (let k = 0; k < piece.length; k++) bytes[at + k] = piece.charCodeAt(k);
      at += piece.length;
    });
    await pause();
  }
  return bytes.buffer;
}
