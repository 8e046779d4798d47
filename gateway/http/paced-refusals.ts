import { REFUSALS_PER_SECOND_MAX, REFUSALS_TICK_MS } from './limits.ts';

const PER_TICK = (REFUSALS_PER_SECOND_MAX * REFUSALS_TICK_MS) / 1000;

/**
 * Answers to callers who are turned away under overload and keep their connection, at a pace: at once while there are
 * few, in the order in which they came when there are more. A caller who calls again as soon as it is answered would
 * otherwise be refused again and again, which costs what serving it would.
 * Limits: the gateway's connections, each of which waits here once: with all 4,000 for two seconds.
 */
export class PacedRefusals {
  readonly #every: (run: () => void, ms: number) => NodeJS.Timeout;
  #waiting: (() => void)[] = [];
  #left = PER_TICK;
  #timer: NodeJS.Timeout | null = null;

  constructor(every: (run: () => void, ms: number) => NodeJS.Timeout = setInterval) {
    this.#every = every;
  }

  /** `send` is called now or later, once. */
  add(send: () => void): void {
    this.#timer ??= this.#every(() => this.#tick(), REFUSALS_TICK_MS).unref();
    if (this.#left === 0) return void this.#waiting.push(send);
    this.#left -= 1;
    send();
  }

  #tick(): void {
    const due = this.#waiting.splice(0, PER_TICK);
    const isIdle = due.length === 0 && this.#left === PER_TICK;
    this.#left = PER_TICK - due.length;
    if (isIdle && this.#timer) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    for (const send of due) send();
  }
}
