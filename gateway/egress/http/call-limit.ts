/**
 * The end of one call: its timeout or its cancellation. Both abort `signal`; `dispose` releases timer and listeners. It
 * counts how often the call was sent.
 */
export class CallLimit {
  /** Requests that were begun for the call in all its attempts. */
  sends = 0;
  readonly #ends = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #givenUp: readonly AbortSignal[];
  readonly #beganAt = performance.now();
  readonly #timeoutMs: number;
  #timedOut = false;
  #refusal: Error | null = null;

  constructor(timeoutMs: number, ...givenUp: readonly AbortSignal[]) {
    this.#timeoutMs = timeoutMs;
    this.#givenUp = givenUp;
    this.#timer = setTimeout(() => this.#end(true), timeoutMs);
    for (const signal of givenUp) {
      if (signal.aborted) this.#ends.abort();
      else signal.addEventListener('abort', this.#giveUp, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#ends.signal;
  }

  /** Null while the call may continue. */
  get over(): 'timeout' | 'cancelled' | null {
    if (!this.#ends.signal.aborted) return null;
    return this.#timedOut ? 'timeout' : 'cancelled';
  }

  /** Why the settings no longer allow the call; null: they do. */
  get refusal(): Error | null {
    return this.#refusal;
  }

  /** Ends the call: the settings no longer allow its target or its route. */
  refuse(refusal: Error): void {
    this.#refusal ??= refusal;
    this.#ends.abort();
  }

  get durationMs(): number {
    return Math.round(performance.now() - this.#beganAt);
  }

  get remainingMs(): number {
    return this.#timeoutMs - (performance.now() - this.#beganAt);
  }

  /** Returns the result of `work`, or rejects at the end of the call: for work that cannot be stopped. */
  async race<T>(work: Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<never>();
    const end = (): void => ended.reject(new Error('the call is over'));
    if (this.signal.aborted) end();
    this.signal.addEventListener('abort', end, { once: true });
    try {
      return await Promise.race([work, ended.promise]);
    } finally {
      this.signal.removeEventListener('abort', end);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#givenUp) signal.removeEventListener('abort', this.#giveUp);
  }

  readonly #giveUp = (): void => this.#end(false);

  #end(timedOut: boolean): void {
    if (this.#ends.signal.aborted) return;
    this.#timedOut = timedOut;
    this.#ends.abort();
  }
}
