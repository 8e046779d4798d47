import type { QueueLimits } from './limits.ts';
import { type Call, fail, type ScriptQueue } from './script-queue.ts';
import { SpareBuffers } from './spare-buffers.ts';

/**
 * The runs that wait for capability calls: no worker has them, and they hold nothing but the memory of their guests.
 *
 * A run is suspended → resumable (an answer has come; it stands in its script's queue again) → with a worker. From the
 * first to the last of these its memory counts against the limits. The buffer of one that ends before a worker has it
 * is used again: left to itself it would stay, for V8 does not count what is shared.
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
  // What it uses; the buffer may be a larger one that was there.
  return call.image === null ? 0 : call.image.top - call.image.from;
}
