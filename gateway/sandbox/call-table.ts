import { WINDOW_CALLS } from './limits.ts';

/**
 * The calls of one worker in shared memory: which one is running and how long its current phase may take, and for each
 * slot its state and whether it was cancelled. States: free → posted → running → free, or posted → recalled → free.
 * Posted to running (the worker) and posted to recalled (the main thread) are compare-and-swap, so a call begins at
 * most once, here or elsewhere.
 */
const FREE = 0;
const POSTED = 1;
const RUNNING = 2;
const RECALLED = 3;

const NONE = -1;
const CURRENT = 0;
const PHASE = 1;
const LIMIT = 2;
const HOST_WORK = 3;
const STATES = 4;
const CANCELS = STATES + WINDOW_CALLS;
const WORDS = CANCELS + WINDOW_CALLS;

export interface Phase {
  /** Different for every phase of a worker. */
  readonly count: number;
  readonly slot: number;
  /** When it must be ended from outside. */
  readonly limitMs: number;
  /** Starting an engine; this does not count towards the script's time. */
  readonly hostWork: boolean;
}

export class CallTable {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer = newTable()) {
    this.buffer = buffer;
    this.#words = new Int32Array(buffer);
  }

  post(slot: number): void {
    Atomics.store(this.#words, CANCELS + slot, 0);
    Atomics.store(this.#words, STATES + slot, POSTED);
  }

  /** Worker: true if the call may begin; false if it was recalled. */
  begin(slot: number): boolean {
    return Atomics.compareExchange(this.#words, STATES + slot, POSTED, RUNNING) === POSTED;
  }

  /**
   * Worker: a phase of the call begins (starting an engine, loading the script, running it). The count is odd while the
   * words are being changed, so that no reader mixes up the limits of two phases.
   */
  beginPhase(slot: number, limitMs: number, hostWork: boolean): void {
    Atomics.add(this.#words, PHASE, 1);
    Atomics.store(this.#words, CURRENT, slot);
    Atomics.store(this.#words, LIMIT, limitMs);
    Atomics.store(this.#words, HOST_WORK, hostWork ? 1 : 0);
    Atomics.add(this.#words, PHASE, 1);
  }

  end(slot: number): void {
    Atomics.store(this.#words, CURRENT, NONE);
    Atomics.store(this.#words, STATES + slot, FREE);
  }

  /** Main thread: true if the call had not begun and never will. */
  recall(slot: number): boolean {
    return Atomics.compareExchange(this.#words, STATES + slot, POSTED, RECALLED) === POSTED;
  }

  cancel(slot: number): void {
    Atomics.store(this.#words, CANCELS + slot, 1);
  }

  cancelled(slot: number): boolean {
    return Atomics.load(this.#words, CANCELS + slot) === 1;
  }

  /** The running call; null if there is none or if it is just changing. */
  phase(): Phase | null {
    const count = Atomics.load(this.#words, PHASE);
    const slot = Atomics.load(this.#words, CURRENT);
    const limitMs = Atomics.load(this.#words, LIMIT);
    const hostWork = Atomics.load(this.#words, HOST_WORK) === 1;
    if (slot === NONE || count % 2 !== 0 || Atomics.load(this.#words, PHASE) !== count) return null;
    return { count, slot, limitMs, hostWork };
  }
}

function newTable(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(buffer)[CURRENT] = NONE;
  return buffer;
}
