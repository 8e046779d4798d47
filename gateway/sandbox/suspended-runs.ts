import type { HeldImages } from './held-images.ts';
import { type Call, fail, type ScriptQueue } from './script-queue.ts';
import { freeBuffer } from './spare-buffers.ts';

/**
 * Runs that wait for capability calls. They occupy no worker and hold only the memory of their guests.
 *
 * States: suspended → resumable (a response has arrived; the run is in its script's queue again) → assigned to a
 * worker. In the first two, its memory belongs to this thread and counts towards the limits. If a run ends before a
 * worker resumes it, its memory is freed immediately.
 */
export class SuspendedRuns {
  readonly #held: HeldImages;
  readonly #waiting = new Set<Call>();

  constructor(held: HeldImages) {
    this.#held = held;
  }

  full(call: Call): boolean {
    return !this.#held.hasRoom(call.script.project, bytesOf(call));
  }

  add(call: Call): void {
    const { project } = call.script;
    const bytes = bytesOf(call);
    this.#held.add(project, bytes);
    this.#waiting.add(call);
    const cancelled = (): void => fail(call, 'script_cancelled', 'the run was cancelled');
    call.signal?.addEventListener('abort', cancelled, { once: true });
    call.release = () => {
      call.signal?.removeEventListener('abort', cancelled);
      this.#waiting.delete(call);
      this.#held.remove(project, bytes);
      if (call.image !== null) freeBuffer(call.image.buffer);
      call.image = null;
      call.release = null;
    };
  }

  /** True if it was waiting; from now on it is not. */
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
  return call.image?.buffer.byteLength ?? 0;
}
