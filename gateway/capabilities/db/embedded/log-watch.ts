import type { LogLimits } from './overrun.ts';

/** Milliseconds between two checks of the WAL while a job runs: at 1 GB/s it writes 2 MB in between. */
const LOOK_MS = 2;
/** A counter that is odd while a job runs, a number that never changes, then the limits. */
const COUNTER = 0;
const STILL = 1;
const LIMITS_AT = 8;

/** The limits of the running job, shared between the main thread and the watching thread of the process. */
export class LogWatch {
  readonly memory: SharedArrayBuffer;
  readonly #counter: Int32Array<SharedArrayBuffer>;
  readonly #limits: Float64Array<SharedArrayBuffer>;

  constructor(memory = new SharedArrayBuffer(LIMITS_AT + 2 * Float64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#counter = new Int32Array(memory, 0, 2);
    this.#limits = new Float64Array(memory, LIMITS_AT);
  }

  begin({ logBytesMax, keepFreeBytes }: LogLimits): void {
    this.#limits.set([logBytesMax, keepFreeBytes]);
    Atomics.add(this.#counter, COUNTER, 1);
    Atomics.notify(this.#counter, COUNTER);
  }

  /** The running statement is no longer ended. */
  end(): void {
    if (this.isRunning()) Atomics.add(this.#counter, COUNTER, 1);
  }

  /**
   * For the watching thread: blocks until a job has run for a while, at most `ms` if none begins; returns null if none
   * is running then. Short jobs are not checked, and do not wake the thread more often than every LOOK_MS.
   */
  next(ms: number): LogLimits | null {
    const seen = Atomics.load(this.#counter, COUNTER);
    if (seen % 2 === 0) Atomics.wait(this.#counter, COUNTER, seen, ms);
    if (!this.isRunning()) return null;
    Atomics.wait(this.#counter, STILL, 0, LOOK_MS);
    const [logBytesMax = Infinity, keepFreeBytes = 0] = this.#limits;
    return this.isRunning() ? { logBytesMax, keepFreeBytes } : null;
  }

  isRunning(): boolean {
    return Atomics.load(this.#counter, COUNTER) % 2 === 1;
  }
}
