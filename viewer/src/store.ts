// What the page shows at the moment. Whoever draws a part of it listens for the keys that it needs.

import type { PathAnswer, Point } from "./answers";
import type { Theme } from "./colours";

export const COLOURINGS = ["id", "component", "storey", "tag", "clearance"] as const;
export type Colouring = (typeof COLOURINGS)[number];
export type End = "from" | "to";

export interface Look {
  theme: Theme;
  colouring: Colouring;
  /** The one storey that is shown, or all. */
  storey: number | null;
  sceneOpacity: number;
  radius: number;
  from: Point | null;
  to: Point | null;
  /** The marker that the arrow keys move. */
  picked: End | null;
  answer: PathAnswer | null;
  /** Why the server could not answer. */
  trouble: string | null;
  /** The part of each portal that a body of this radius may use, from 0 to 1. */
  shares: Float32Array | null;
  /** How far along the path the walker or the pointer is [m, in plan]. */
  along: number | null;
  /** What was chosen of layers beside their switches, by the layer's name, a dot and what it is about. */
  options: Readonly<Record<string, string | number>>;
  /** Names of the layers that are switched off. */
  hidden: ReadonlySet<string>;
}

type Listener = (look: Readonly<Look>, changed: ReadonlySet<keyof Look>) => void;

export class Store {
  private readonly shared: { look: Look; listeners: Set<Listener> };

  constructor(
    look: Look | Store,
    private readonly until?: AbortSignal,
  ) {
    this.shared = look instanceof Store ? look.shared : { look, listeners: new Set() };
  }

  /** The same store for parts of the page that go away: they hear of nothing after the signal. */
  during(until: AbortSignal): Store {
    return new Store(this, until);
  }

  get look(): Readonly<Look> {
    return this.shared.look;
  }

  set(patch: Partial<Look>): void {
    const changed = new Set<keyof Look>();
    for (const key of Object.keys(patch) as (keyof Look)[]) {
      if (patch[key] !== this.look[key]) changed.add(key);
    }
    if (changed.size === 0) return;
    this.shared.look = { ...this.look, ...patch };
    for (const listener of [...this.shared.listeners]) listener(this.look, changed);
  }

  /** Calls the listener whenever one of the keys changed, and once now. */
  on(keys: (keyof Look)[], listener: (look: Readonly<Look>) => void): void {
    this.onAny((look, changed) => {
      if (keys.some((key) => changed.has(key))) listener(look);
    });
    listener(this.look);
  }

  /** Calls the listener after each change. */
  onAny(listener: Listener): void {
    this.shared.listeners.add(listener);
    this.until?.addEventListener("abort", () => this.shared.listeners.delete(listener));
  }
}
