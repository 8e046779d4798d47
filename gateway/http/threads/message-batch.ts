import type { Part } from './messages.ts';

/** A MessagePort, or a thread behind one. */
export interface BatchPort {
  postMessage(message: readonly Part[], transfer: ArrayBuffer[]): void;
}

/** Messages to another thread, combined into one per turn: posting costs more than the content. */
export class MessageBatch {
  readonly #port: BatchPort;
  readonly #atTurnEnd: (run: () => void) => void;
  readonly #flush = (): void => this.flush();
  #parts: Part[] = [];
  #given: ArrayBuffer[] = [];

  constructor(port: BatchPort, atTurnEnd: (run: () => void) => void) {
    this.#port = port;
    this.#atTurnEnd = atTurnEnd;
  }

  put(...parts: Part[]): void {
    if (this.#parts.length === 0) this.#atTurnEnd(this.#flush);
    for (const part of parts) this.#parts.push(part);
  }

  /** Adds a part to the last item. */
  add(part: Part): void {
    this.#parts.push(part);
  }

  /** Like `add`, for bytes that are transferred without a copy; they must not be used here afterwards. */
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
