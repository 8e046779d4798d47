import type { MessagePort, Worker } from 'node:worker_threads';
import type { Part } from './messages.ts';

/** What is said to another thread, one message for all of a turn: posting costs more than what is posted. */
export class MessageBatch {
  readonly #port: MessagePort | Worker;
  readonly #atTurnEnd: (run: () => void) => void;
  readonly #flush = (): void => this.flush();
  #parts: Part[] = [];
  #given: ArrayBuffer[] = [];

  constructor(port: MessagePort | Worker, atTurnEnd: (run: () => void) => void) {
    this.#port = port;
    this.#atTurnEnd = atTurnEnd;
  }

  put(...parts: Part[]): void {
    if (this.#parts.length === 0) this.#atTurnEnd(this.#flush);
    for (const part of parts) this.#parts.push(part);
  }

  /** One more part of what was put last. */
  add(part: Part): void {
    this.#parts.push(part);
  }

  /** The same for bytes, which go over without being copied: nobody here has them any more. */
  give(bytes: Uint8Array<ArrayBuffer>): void {
    this.#given.push(bytes.buffer);
    this.#parts.push(bytes);
  }

  flush(): void {
    if (this.#parts.length === 0) return;
    const parts = this.#parts;
    const given = this.#given;
    this.#parts = [];
    this.#given = [];
    this.#port.postMessage(parts, given);
  }
}
