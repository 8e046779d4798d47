import {
  PATIENCE_MS,
  QUEUE_MS_MAX,
  QUEUE_REQUESTS_MIN,
  RELIEF_MS,
  WINDOW_BUSY_MIN,
  WINDOW_MS,
  WINDOW_STILL_BUSY_MIN,
} from './limits.ts';

/**
 * Sheds what is beyond the gateway's speed. Whoever is taken in waits for all that the gateway's thread has to do for the
 * others: a queue that stays long is one in which everybody waits longer and nobody is served who else were not.
 * REQUESTS_IN_FLIGHT_MAX cannot see that: a thousand that wait for a database cost nothing, a thousand that wait for this
 * thread a tenth of a second and more.
 *
 * The queue: requests that wait for their row in the journal, between two steps that are this thread's; or that were
 * taken in this turn of the event loop. Its room is what takes QUEUE_MS_MAX to serve, at the pace of the last window (of
 * those that are recorded as a use: what is refused is cheap, and says nothing about them), and QUEUE_REQUESTS_MIN at
 * least: so few callers are never refused, however slow the machine. A disk that is slow makes rows wait too, but leaves
 * the thread idle.
 *
 * States: at ease; full (in each window the thread was busy and most found the room taken, for less than PATIENCE_MS: a
 * burst is served whole); strained (who finds the room taken is refused), until RELIEF_MS have passed without a full
 * window and without a refusal while the thread was at work: a queue in front of an idle thread is none for it.
 */
export class Pressure {
  /** Requests between a gate or a run and their row in the journal. */
  recording = 0;
  readonly #machine: Machine;
  #takenInTurn = 0;
  #room = QUEUE_REQUESTS_MIN;
  #stillBusy = false;
  /** Of this window. */
  #uses = 0;
  #met = 0;
  #metFull = 0;
  #activeBeforeMs = 0;
  #windowStartedMs = 0;
  #windows: NodeJS.Timeout | null = null;
  #fullSinceMs: number | null = null;
  #strainedUntilMs = -Infinity;

  constructor(machine: Machine = thisThread) {
    this.#machine = machine;
  }

  /** Whether a request that was read at `nowMs` may be served; asked once for each. */
  takes(nowMs: number): boolean {
    const isFull = Math.max(this.recording, this.#takenInTurn) >= this.#room;
    this.#met += 1;
    if (isFull) this.#metFull += 1;
    if (isFull && this.#windows === null) this.#watch(nowMs);
    if (isFull && nowMs <= this.#strainedUntilMs) {
      if (this.#stillBusy) this.#strainedUntilMs = nowMs + RELIEF_MS;
      return false;
    }
    if (this.#takenInTurn === 0) this.#machine.atTurnEnd(() => (this.#takenInTurn = 0));
    this.#takenInTurn += 1;
    return true;
  }

  /** One that was taken has shown a key and is to be served, behind its row of use. */
  countUse(): void {
    this.#uses += 1;
  }

  #watch(nowMs: number): void {
    this.#windows = this.#machine.every(WINDOW_MS, () => this.#windowEnds());
    this.#begin(nowMs);
  }

  #begin(nowMs: number): void {
    this.#windowStartedMs = nowMs;
    this.#activeBeforeMs = this.#machine.activeMs();
    this.#uses = 0;
    this.#met = 0;
    this.#metFull = 0;
  }

  #windowEnds(): void {
    const nowMs = this.#machine.nowMs();
    const activeMs = this.#machine.activeMs() - this.#activeBeforeMs;
    const busy = activeMs / (nowMs - this.#windowStartedMs);
    this.#stillBusy = busy >= WINDOW_STILL_BUSY_MIN;
    const isFull = busy >= WINDOW_BUSY_MIN && this.#metFull > this.#met / 2;
    this.#fullSinceMs = isFull ? (this.#fullSinceMs ?? this.#windowStartedMs) : null;
    if (this.#fullSinceMs !== null && nowMs - this.#fullSinceMs > PATIENCE_MS)
      this.#strainedUntilMs = nowMs + RELIEF_MS;
    if (this.#uses > 0) this.#room = Math.max(QUEUE_REQUESTS_MIN, Math.floor((QUEUE_MS_MAX * this.#uses) / activeMs));
    if (this.#met === 0 && this.#windows !== null) {
      clearInterval(this.#windows);
      this.#windows = null;
      this.#room = QUEUE_REQUESTS_MIN;
    }
    this.#begin(nowMs);
  }
}

/** What a test has in its hands. */
export interface Machine {
  nowMs(): number;
  /** How long this thread's event loop has been busy, of all the time so far. */
  activeMs(): number;
  atTurnEnd(run: () => void): void;
  every(ms: number, run: () => void): NodeJS.Timeout;
}

const thisThread: Machine = {
  nowMs: () => performance.now(),
  activeMs: () => performance.eventLoopUtilization().active,
  atTurnEnd: (run) => void setImmediate(run),
  every: (ms, run) => setInterval(run, ms).unref(),
};
