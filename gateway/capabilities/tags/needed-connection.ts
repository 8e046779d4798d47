import { createBackoff, keepConnected, type KeptConnection } from './backoff.ts';

/** A connection that is dialled while something needs it, and kept with back-off. */
export class NeededConnection {
  readonly #kept: KeptConnection;
  readonly #random: (() => number) | undefined;
  #keeping: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  /** `random` gives 0 ≤ x < 1. */
  constructor(kept: KeptConnection, random?: () => number) {
    this.#kept = kept;
    this.#random = random;
  }

  /** True if the connection was kept and is now closed. */
  keepWhile(needed: boolean): boolean {
    if (needed && this.#keeping === null) this.#keep();
    if (needed || this.#keeping === null) return false;
    this.#keeping.abort.abort();
    this.#keeping = null;
    return true;
  }

  async close(): Promise<void> {
    this.#keeping?.abort.abort();
    await this.#keeping?.done;
  }

  #keep(): void {
    const abort = new AbortController();
    this.#keeping = { abort, done: keepConnected(this.#kept, abort.signal, createBackoff(this.#random)) };
  }
}
