// Keeps one question in flight: while it is, only the newest of the next ones is kept, and is sent when the answer comes.

import { pause } from "./steps";

export class Latest<Question> {
  private next: Question | undefined;
  private isBusy = false;

  /** `apart`: how long after one question the next is asked at the earliest [ms], since the server bounds their rate. */
  constructor(
    private readonly apart: number,
    private readonly ask: (question: Question) => Promise<void>,
  ) {}

  /** Asks now, or as soon as the answer to the last question is there. */
  put(question: Question): void {
    this.next = question;
    if (!this.isBusy) void this.run();
  }

  /** Whether nothing newer waits: then an answer counts. */
  get isNewest(): boolean {
    return this.next === undefined;
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    while (this.next !== undefined) {
      const question = this.next;
      this.next = undefined;
      const begin = performance.now();
      await this.ask(question);
      const rest = this.apart - (performance.now() - begin);
      if (rest > 0) await pause(rest);
    }
    this.isBusy = false;
  }
}
