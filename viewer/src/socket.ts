// Questions to the server and their answers, over one socket that is opened again when it closes.

import type { Progress } from "./answers";

export type Connection = "open" | "closed";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  progress?: (progress: Progress) => void;
}

interface Message {
  id: number;
  answer?: unknown;
  error?: string;
  progress?: Progress;
}

/** The socket closed before the answer came; the question may be asked again. */
export class Disconnected extends Error {}

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 5000;

export class Socket {
  private socket: WebSocket | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private wait = FIRST_WAIT_MS;
  state: Connection = "closed";

  constructor(private readonly onState: (state: Connection) => void) {
    this.open();
  }

  /** Asks; `sent` learns the question's id, by which it can be cancelled. */
  ask<T>(ask: string, body: object = {}, progress?: (progress: Progress) => void, sent?: (id: number) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new Disconnected("the server does not answer"));
        return;
      }
      const id = this.nextId++;
      this.waiting.set(id, { resolve: (answer) => resolve(answer as T), reject, progress });
      this.socket.send(JSON.stringify({ id, ask, ...body }));
      sent?.(id);
    });
  }

  private open(): void {
    const address = new URL("socket", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT_MS;
      this.set("open");
    };
    socket.onmessage = ({ data }) => this.take(String(data));
    socket.onclose = () => {
      for (const { reject } of this.waiting.values()) reject(new Disconnected("the server went away"));
      this.waiting.clear();
      this.set("closed");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
    };
  }

  private take(text: string): void {
    const message = JSON.parse(text) as Message;
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    if (message.progress) {
      waiting.progress?.(message.progress);
      return;
    }
    this.waiting.delete(message.id);
    if (message.error !== undefined) waiting.reject(new Error(message.error));
    else waiting.resolve(message.answer);
  }

  private set(state: Connection): void {
    this.state = state;
    this.onState(state);
  }
}
