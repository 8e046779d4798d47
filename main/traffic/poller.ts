/** Asks again and again, one at a time. */
export class Poller {
  readonly #ask: () => Promise<void>;
  #asking: Promise<void> | null = null;

  /** `ask` never rejects. */
  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  /** Asks now, or resolves with the asking in progress. */
  tick(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Asks until the returned function is called, which waits for the asking in progress. */
  start(everyMs: number): () => Promise<void> {
    const timer = setInterval(() => void this.tick(), everyMs);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await this.#asking;
    };
  }
}
