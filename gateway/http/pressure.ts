import { PATIENCE_MS, RELIEF_MS, TURN_MS_MAX, TURN_REQUESTS_MIN } from './limits.ts';

/**
 * Sheds what is beyond the gateway's speed. All that one turn of the event loop has read waits for the whole of it, and
 * again for its journal rows: turns that stay long are a queue that stays, in which everybody waits longer and nobody is
 * served who else were not. REQUESTS_IN_FLIGHT_MAX cannot see that: a thousand that wait for a database cost nothing, a
 * thousand that wait for their turn a tenth of a second.
 *
 * States: at ease; long (turns have been, for less than PATIENCE_MS: a burst is served whole); strained (a turn takes
 * TURN_REQUESTS_MIN requests, and others in its first TURN_MS_MAX). It is over when RELIEF_MS have passed without a
 * refusal and without turns that stayed long.
 * A machine that gives the process no time makes turns long too: so few are never refused, however long theirs is.
 */
export class Pressure {
  readonly #atTurnEnd: (run: () => void) => void;
  readonly #now: () => number;
  #turnStartedMs: number | null = null;
  #taken = 0;
  #longSinceMs: number | null = null;
  #strainedUntilMs = -Infinity;

  constructor(atTurnEnd: (run: () => void) => void = setImmediate, now = (): number => performance.now()) {
    this.#atTurnEnd = atTurnEnd;
    this.#now = now;
  }

  /** Whether a request that was read at `nowMs` may be served; asked once for each. */
  takes(nowMs: number): boolean {
    if (this.#turnStartedMs === null) {
      this.#turnStartedMs = nowMs;
      this.#atTurnEnd(() => this.#turnEnds());
    }
    this.#taken += 1;
    const isLate = this.#taken > TURN_REQUESTS_MIN && nowMs - this.#turnStartedMs > TURN_MS_MAX;
    if (!isLate || nowMs > this.#strainedUntilMs) return true;
    this.#strainedUntilMs = nowMs + RELIEF_MS;
    return false;
  }

  #turnEnds(): void {
    const nowMs = this.#now();
    const startedMs = this.#turnStartedMs ?? nowMs;
    const isLong = this.#taken > TURN_REQUESTS_MIN && nowMs - startedMs > TURN_MS_MAX;
    this.#longSinceMs = isLong ? (this.#longSinceMs ?? startedMs) : null;
    if (this.#longSinceMs !== null && nowMs - this.#longSinceMs > PATIENCE_MS)
      this.#strainedUntilMs = nowMs + RELIEF_MS;
    this.#turnStartedMs = null;
    this.#taken = 0;
  }
}
