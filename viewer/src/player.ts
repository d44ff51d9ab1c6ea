// Walks a body along the path. Frames are asked for only while it walks.

import { frame } from "./steps";
import type { Store } from "./store";
import { trackOf } from "./track";

/** How fast people walk [m/s]. */
const PACE = 1.4;

export class Player {
  private last: number | undefined;
  private isPlaying = false;
  speed = 1;

  constructor(
    private readonly store: Store,
    private readonly onState: (isPlaying: boolean) => void,
  ) {
    store.on(["answer"], () => this.stop());
  }

  toggle(): void {
    if (this.isPlaying) this.stop();
    else this.play();
  }

  stop(): void {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.onState(false);
  }

  private play(): void {
    const { answer, along } = this.store.look;
    if (!answer?.found) return;
    const { length } = trackOf(answer);
    if (along === null || along >= length) this.store.set({ along: 0 });
    this.last = undefined;
    this.isPlaying = true;
    this.onState(true);
    requestAnimationFrame((now) => frame(() => this.walk(now)));
  }

  private walk(now: number): void {
    const { answer, along } = this.store.look;
    if (!this.isPlaying || !answer?.found) return;
    const gone = ((now - (this.last ?? now)) / 1000) * PACE * this.speed;
    this.last = now;
    const { length } = trackOf(answer);
    const next = Math.min((along ?? 0) + gone, length);
    this.store.set({ along: next });
    if (next >= length) this.stop();
    else requestAnimationFrame((later) => frame(() => this.walk(later)));
  }
}
