// How long our own script keeps the browser busy: every frame and every step of loading is measured.

export const frames = { worst: 0, count: 0 };
/** The longest time of each step [ms]. */
export const steps: Record<string, number> = {};

/** Does a step of work and measures it. */
export function step<T>(name: string, work: () => T): T {
  const begin = performance.now();
  try {
    return work();
  } finally {
    steps[name] = Math.max(steps[name] ?? 0, performance.now() - begin);
  }
}

/** Does the work of a frame and measures it. */
export function frame(work: () => void): void {
  const begin = performance.now();
  work();
  frames.worst = Math.max(frames.worst, performance.now() - begin);
  frames.count += 1;
}

/** Lets the browser do what it has to do. */
export function pause(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
