import { REFUSALS_TICK_MS, type RefusalPace, SHORT_REFUSALS } from './limits.ts';

/**
 * Paces responses to callers that are turned away under overload and keep their connection: at once while there are
 * few, in order of arrival when there are more. Otherwise a caller that calls again at once would be refused over and
 * over, which costs as much as serving it. The pace follows the clock, because turns of the event loop are longest when
 * there are most refusals. Limits: the number of waiting responses; each is a connection, and waits here once.
 */
export class PacedRefusals {
  readonly #pace: RefusalPace;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #left: number;
  #countedMs = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Clock = systemClock, pace: RefusalPace = SHORT_REFUSALS) {
    this.#clock = clock;
    this.#pace = pace;
    this.#left = pace.atOnceMax;
  }

  /** `tell` is called now or later, once, or never if it is removed. */
  add(tell: () => void): void {
    if (this.#waiting.size >= this.#pace.waitingMax) return tell();
    this.#waiting.add(tell);
    if (this.#waiting.size === 1) this.#tellDue();
    if (this.#waiting.size > 0) this.#timer ??= this.#clock.every(REFUSALS_TICK_MS, () => this.#tick());
  }

  /**
   * A caller that has already received its refusal in another way, or has disconnected, does not count towards the
   * pace.
   */
  remove(tell: () => void): void {
    this.#waiting.delete(tell);
  }

  #tick(): void {
    this.#tellDue();
    if (this.#waiting.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #tellDue(): void {
    const nowMs = this.#clock.nowMs();
    const since = ((nowMs - this.#countedMs) * this.#pace.perSecondMax) / 1000;
    this.#left = Math.min(this.#pace.atOnceMax, this.#left + since);
    this.#countedMs = nowMs;
    for (const tell of this.#waiting) {
      if (this.#left < 1) return;
      this.#left -= 1;
      this.#waiting.delete(tell);
      tell();
    }
  }
}

/** The parts that a test replaces. */
export interface Clock {
  nowMs(): number;
  every(ms: number, run: () => void): NodeJS.Timeout;
}

const systemClock: Clock = {
  nowMs: () => performance.now(),
  every: (ms, run) => setInterval(run, ms).unref(),
};
