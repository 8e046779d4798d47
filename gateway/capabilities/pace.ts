/**
 * Work that begins runs without a request (tag changes, messages, timers) shares one part of each turn of the event
 * loop, however many pipelines there are. Runs that do not wait have ended when they have begun, so a limit of active
 * runs does not slow down a thousand of them, and HTTP callers would wait for all.
 *
 * Limits: MS_PER_TURN_MAX, plus one piece of work.
 */
const MS_PER_TURN_MAX = 10;

export class Pace {
  readonly #waiting = new Set<() => void>();
  #usedMs = 0;
  /** Start time of the current piece of work; -1: none is running. */
  #sinceMs = -1;
  #turning = false;

  /** Whether more work may begin in this turn. */
  get free(): boolean {
    const now = this.#sinceMs < 0 ? 0 : performance.now() - this.#sinceMs;
    return this.#usedMs + now < MS_PER_TURN_MAX;
  }

  /** Runs the work immediately; its duration counts. */
  run<T>(work: () => T): T {
    if (this.#sinceMs >= 0) return work();
    this.#sinceMs = performance.now();
    try {
      return work();
    } finally {
      this.#usedMs += performance.now() - this.#sinceMs;
      this.#sinceMs = -1;
      this.#turnLater();
    }
  }

  /**
   * Runs the work once in a later turn with enough time, however often it is requested before. It should be one small
   * piece, so that other work gets its turn.
   */
  later(work: () => void): void {
    this.#waiting.add(work);
    this.#turnLater();
  }

  /** Cancels work that was requested. */
  forget(work: () => void): void {
    this.#waiting.delete(work);
  }

  #turnLater(): void {
    if (this.#turning) return;
    this.#turning = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#turning = false;
    this.#usedMs = 0;
    // Work that is requested again while it runs is queued last.
    for (const work of this.#waiting) {
      if (!this.free) return this.#turnLater();
      this.#waiting.delete(work);
      this.run(work);
    }
  }
}
