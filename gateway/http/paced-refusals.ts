import { REFUSALS_TICK_MS, type RefusalPace, SHORT_REFUSALS } from './limits.ts';

/**
 * Answers to callers who are turned away under overload and keep their connection, at a pace: at once while there are
 * few, in the order in which they came when there are more. A caller who calls again as soon as it is answered would
 * otherwise be refused again and again, which costs what serving it would. The pace is by the clock: turns of the event
 * loop are long when there is most to tell.
 * Limits: as many as the pace lets wait; each is a connection, and waits here once.
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

  /** `tell` is called now or later, once; or never, when it is removed. */
  add(tell: () => void): void {
    if (this.#waiting.size >= this.#pace.waitingMax) return tell();
    this.#waiting.add(tell);
    if (this.#waiting.size === 1) this.#tellDue();
    if (this.#waiting.size > 0) this.#timer ??= this.#clock.every(REFUSALS_TICK_MS, () => this.#tick());
  }

  /** Who is told by this time in another way, or not at all, uses up nothing of the pace. */
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

/** What a test has in its hands. */
export interface Clock {
  nowMs(): number;
  every(ms: number, run: () => void): NodeJS.Timeout;
}

const systemClock: Clock = {
  nowMs: () => performance.now(),
  every: (ms, run) => setInterval(run, ms).unref(),
};
