/**
 * Work that begins runs without a request (tag changes, messages, timers) shares one part of each turn of the event
 * loop, however many pipelines there are. Runs that wait for nothing are over when they have begun, so no count of
 * active runs limits a thousand of them, and HTTP callers would wait for all.
 *
 * Limits: MS_PER_TURN_MAX, plus one piece of work.
 */
const MS_PER_TURN_MAX = 10;

export class Pace {
  readonly #waiting = new Set<() => void>();
  #usedMs = 0;
  /** When the piece of work that runs now began; -1 = none does. */
  #sinceMs = -1;
  #turning = false;

  /** Whether more may begin in this turn. */
  get free(): boolean {
    const now = this.#sinceMs < 0 ? 0 : performance.now() - this.#sinceMs;
    return this.#usedMs + now < MS_PER_TURN_MAX;
  }

  /** Does it at once; the time that it takes counts. */
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

  /** Does it in a later turn that has time for it, once, however often it is asked for before. One small piece of work, so that others get theirs. */
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
    // Work that is requested again while it runs comes last.
    for (const work of this.#waiting) {
      if (!this.free) return this.#turnLater();
      this.#waiting.delete(work);
      this.run(work);
    }
  }
}
