import type { QueueLimits } from './limits.ts';
import { type Call, fail, type ScriptQueue } from './script-queue.ts';
import { SpareBuffers } from './spare-buffers.ts';

/**
 * Runs that wait for capability calls. They occupy no worker and hold only the memory of their guests.
 *
 * States: suspended → resumable (a response has arrived; the run is in its script's queue again) → assigned to a
 * worker. In all of them, its memory counts towards the limits. If a run ends before a worker resumes it, its buffer
 * is reused: otherwise the buffer would remain, because V8 does not count shared memory.
 */
export class SuspendedRuns {
  readonly #limits: QueueLimits;
  readonly #waiting = new Set<Call>();
  /** Buffers of runs that ended while they waited; a worker takes them with its next batch. */
  readonly spare = new SpareBuffers();
  #runs = 0;
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  full(call: Call): boolean {
    return this.#runs >= this.#limits.suspendedRuns || this.#bytes + bytesOf(call) > this.#limits.suspendedBytes;
  }

  add(call: Call): void {
    this.#runs += 1;
    this.#bytes += bytesOf(call);
    this.#waiting.add(call);
    const cancelled = (): void => fail(call, 'script_cancelled', 'the run was cancelled');
    call.signal?.addEventListener('abort', cancelled, { once: true });
    call.release = () => {
      call.signal?.removeEventListener('abort', cancelled);
      this.#waiting.delete(call);
      this.#runs -= 1;
      this.#bytes -= bytesOf(call);
      if (call.image !== null && !call.posted) this.spare.keep(call.image.buffer);
      call.image = null;
      call.release = null;
    };
  }

  /** True if it waited; from now on it does not. */
  wake(call: Call): boolean {
    return this.#waiting.delete(call);
  }

  failScript(script: ScriptQueue): void {
    for (const call of this.#waiting)
      if (call.script === script) fail(call, 'script_cancelled', 'the script was closed');
  }

  failAll(): void {
    for (const call of this.#waiting) fail(call, 'script_cancelled', 'the sandbox was closed');
  }
}

function bytesOf(call: Call): number {
  // The used size; the buffer may be a larger one that was available.
  return call.image === null ? 0 : call.image.top - call.image.from;
}
