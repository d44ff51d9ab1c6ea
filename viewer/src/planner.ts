// Asks for paths, portals and places, and keeps the page's routes.

import { Disconnected, type Socket } from "./socket";
import type { Located, PathAnswer, Point } from "./answers";
import type { Ground } from "./ground";
import { Latest } from "./latest";
import type { Route, Show } from "./show";
import { step } from "./steps";
import type { Store } from "./store";

/** How far start and goal may be beside the ground [m]. */
const SNAP = 0.5;
/** Questions are at least so far apart [ms]: together fewer than the 120 a second that the server takes. */
const PATHS_APART = 14;
const PORTALS_APART = 60;
const PLACES_APART = 60;
/** An adult, to begin with [m]. */
const FIRST_RADIUS = 0.3;
/** A metre up counts as so many along: the first path shall show storeys, where there are some. */
const STAIRS = 8;

export class Planner {
  private readonly paths = new Latest<null>(PATHS_APART, () => this.askPath());
  private readonly portals = new Latest<number>(PORTALS_APART, (radius) => this.askPortals(radius));
  private readonly places = new Latest<{ at: Point; take: (located: Located) => void }>(PLACES_APART, async ({ at, take }) => {
    // Where a place cannot be told, none is.
    const located = await this.socket?.ask<Located>("locate", { at }).catch(() => undefined);
    if (located) take(located);
  });
  /** Whether answers come from the show, not from questions. */
  private isGiven = false;
  /** Whether the radius is still our own guess. */
  private isGuess = false;
  /** Times of questions for paths until their answers [ms]. */
  readonly answered = { count: 0, worst: 0, last: 0 };

  constructor(
    private readonly store: Store,
    private readonly show: () => Show,
    private readonly ground: () => Ground | undefined,
    private readonly socket: Socket | undefined,
  ) {
    store.onAny((_, changed) => {
      if (this.isGiven || !this.socket) return;
      if (changed.has("from") || changed.has("to") || changed.has("radius")) this.paths.put(null);
      if (changed.has("radius")) this.portals.put(store.look.radius);
    });
  }

  /** Everything again: after a bake, or when the server is back. */
  askAgain(): void {
    if (!this.socket) return;
    this.paths.put(null);
    this.portals.put(this.store.look.radius);
  }

  /** What is at a place, soon; only the newest question counts. */
  locate(at: Point, take: (located: Located) => void): void {
    if (this.socket?.state === "open") this.places.put({ at, take });
  }

  /** Shows a path that came along. */
  take(route: Route): void {
    this.isGiven = true;
    this.store.set({ from: route.from, to: route.to, radius: route.radius, answer: route.answer, along: null, trouble: null });
    this.isGiven = false;
    if (this.socket) this.portals.put(route.radius);
  }

  /** The first start, goal and radius: those of the first route, or two places far from each other. */
  begin(): void {
    const [route] = this.show().about.routes;
    if (route) {
      this.take(route);
      return;
    }
    const ground = this.ground();
    if (!ground || !this.socket) return;
    const ends = farApart(this.show(), ground);
    this.isGuess = true;
    const hasClearance = this.show().floats("cell.clearance")?.some((room) => room > 0) ?? false;
    this.store.set({ ...ends, radius: hasClearance ? FIRST_RADIUS : 0 });
  }

  private async askPath(): Promise<void> {
    const { from, to, radius } = this.store.look;
    if (!from || !to || !this.socket) return;
    const begin = performance.now();
    try {
      const answer = await this.socket.ask<PathAnswer>("path", { from, to, radius, snap: SNAP });
      this.answered.last = performance.now() - begin;
      this.answered.worst = Math.max(this.answered.worst, this.answered.last);
      this.answered.count += 1;
      step("show an answer", () => this.store.set({ answer, along: null, trouble: null }));
      // Where a body of our choice does not fit, a point may.
      if (this.isGuess && !answer.found && radius > 0) this.store.set({ radius: 0 });
      this.isGuess = false;
    } catch (error) {
      if (!(error instanceof Disconnected)) this.store.set({ answer: null, trouble: String((error as Error).message) });
    }
  }

  private async askPortals(radius: number): Promise<void> {
    if (!this.socket || !this.show().floats("portals.positions")) return;
    try {
      const { shares } = await this.socket.ask<{ shares: number[] }>("portals", { radius });
      if (this.portals.isNewest) step("show portals", () => this.store.set({ shares: Float32Array.from(shares) }));
    } catch {
      // Without clearance, or without a server: portals are shown by their critical radius.
      this.store.set({ shares: null });
    }
  }
}

/** The middles of two cells of the largest piece of ground, far from each other and from walls. */
function farApart(show: Show, ground: Ground): { from: Point; to: Point } {
  const component = show.numbers("cell.component");
  const clearance = show.floats("cell.clearance");
  const sizes = new Map<number, number>();
  for (const piece of component ?? []) sizes.set(piece, (sizes.get(piece) ?? 0) + 1);
  const largest = [...sizes].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
  const isGood = (cell: number, room: number) =>
    (!component || component[cell] === largest) && (!clearance || clearance[cell] >= room);
  const farthest = (from: Point, room: number): number => {
    let best = -1;
    let far = -1;
    for (let cell = 0; cell < ground.cells; cell++) {
      if (!isGood(cell, room)) continue;
      const [x, y, z] = ground.middle(cell);
      const distance = (x - from[0]) ** 2 + (y - from[1]) ** 2 + (STAIRS * (z - from[2])) ** 2;
      if (distance > far) [far, best] = [distance, cell];
    }
    return best >= 0 || room < 0 ? Math.max(best, 0) : farthest(from, -2);
  };
  // The middle of corners lies over or under ground that bends.
  const onGround = (cell: number): Point => {
    const middle = ground.middle(cell);
    return ground.under(middle, null)?.point ?? middle;
  };
  const from = onGround(farthest([0, 0, 0], 1.2 * FIRST_RADIUS));
  const to = onGround(farthest(from, 1.2 * FIRST_RADIUS));
  return { from: show.world(from), to: show.world(to) };
}
