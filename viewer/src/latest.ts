// Keeps one question in flight: while it is, only the newest of the next ones is kept, and is sent when the answer comes.

export class Latest<Question> {
  private next: Question | undefined;
  private isBusy = false;

  constructor(private readonly ask: (question: Question) => Promise<void>) {}

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
      await this.ask(question);
    }
    this.isBusy = false;
  }
}
