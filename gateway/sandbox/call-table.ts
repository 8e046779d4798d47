import { WINDOW_CALLS } from './limits.ts';

/**
 * The calls of one worker in shared memory: which one runs now and how long its present phase may take, and for each
 * slot its state and whether it was cancelled. States: free → posted → running → free, or posted → recalled → free. Posted to running (the worker) and
 * posted to recalled (the gateway's thread) are compare-and-swap, so a call begins at most once, here or elsewhere.
 */
const FREE = 0;
const POSTED = 1;
const RUNNING = 2;
const RECALLED = 3;

const NONE = -1;
const CURRENT = 0;
const PHASE = 1;
const LIMIT = 2;
const STATES = 3;
const CANCELS = STATES + WINDOW_CALLS;
const WORDS = CANCELS + WINDOW_CALLS;

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

  /** Worker: true if the call may begin; false if it was taken back. */
  begin(slot: number): boolean {
    if (Atomics.compareExchange(this.#words, STATES + slot, POSTED, RUNNING) !== POSTED) return false;
    Atomics.store(this.#words, CURRENT, slot);
    return true;
  }

  /** Worker: a phase of the call begins (bringing an engine up, loading the script, running it). */
  beginPhase(limitMs: number): void {
    Atomics.store(this.#words, LIMIT, limitMs);
    Atomics.add(this.#words, PHASE, 1);
  }

  end(slot: number): void {
    Atomics.store(this.#words, CURRENT, NONE);
    Atomics.store(this.#words, STATES + slot, FREE);
  }

  /** Gateway's thread: true if the call had not begun and now never will. */
  recall(slot: number): boolean {
    return Atomics.compareExchange(this.#words, STATES + slot, POSTED, RECALLED) === POSTED;
  }

  cancel(slot: number): void {
    Atomics.store(this.#words, CANCELS + slot, 1);
  }

  cancelled(slot: number): boolean {
    return Atomics.load(this.#words, CANCELS + slot) === 1;
  }

  /** The slot that runs now, or -1. */
  current(): number {
    return Atomics.load(this.#words, CURRENT);
  }

  /** After how many milliseconds the present phase must be ended from outside. */
  limitMs(): number {
    return Atomics.load(this.#words, LIMIT);
  }

  /** Changes whenever a phase begins. */
  phase(): number {
    return Atomics.load(this.#words, PHASE);
  }
}

function newTable(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(buffer)[CURRENT] = NONE;
  return buffer;
}
