import { performance } from 'node:perf_hooks';
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
 * Sheds load that the gateway cannot serve in time. Each accepted request waits for the work that the gateway's main
 * thread has to do for the others, so a standing queue adds latency without adding throughput. REQUESTS_IN_FLIGHT_MAX
 * cannot detect that: a thousand requests that wait for a database cost nothing, a thousand that wait for this thread
 * cost a tenth of a second or more.
 *
 * The queue: requests that wait for their journal row, between two steps in this thread, or that were accepted in
 * this turn of the event loop. Its capacity is the number of requests that can be served in QUEUE_MS_MAX at the rate of
 * the last window (only requests that are recorded as a use count: refusals are cheap and do not predict their cost),
 * and at least QUEUE_REQUESTS_MIN, so that a few callers are never refused, however slow the machine. A slow disk makes
 * rows wait too, but leaves the thread idle.
 *
 * States: at ease; full (in each window the thread was busy and most requests found the queue full, for less than
 * PATIENCE_MS: a burst is served completely); strained (requests that find the queue full are refused), until RELIEF_MS
 * have passed without a full window and without a refusal while the thread was working: a queue in front of an idle
 * thread is not an overload.
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

  /** Whether a request that was read at `nowMs` may be served; called once per request. */
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

  /** An accepted request has presented a key and will be served after its row of use. */
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

/** The parts that a test replaces. */
export interface Machine {
  nowMs(): number;
  /** How long this thread's event loop has been busy so far, in milliseconds. */
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
