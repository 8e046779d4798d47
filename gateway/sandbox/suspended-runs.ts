import type { QueueLimits } from './limits.ts';
import { type Call, fail, type ScriptQueue } from './script-queue.ts';
import { SpareBuffers } from './spare-buffers.ts';

/**
 * The runs that wait for capability calls: no worker has them, and they hold only the memory of their guests.
 *
 * A run is suspended → resumable (a response has arrived; it is in its script's queue again) → with a worker. From the
 * first to the last of these states, its memory counts towards the limits. The buffer of a run that ends before a
 * worker has it is reused: otherwise it would remain, because V8 does not count shared memory.
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
