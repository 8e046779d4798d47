import { HALF } from '../net/shares.ts';
import type { QueueLimits } from './limits.ts';
import type { CallAnswer, CallRequest } from './thread-messages.ts';

/**
 * Bytes that capability calls hold, of all runs together: arguments of calls under way, and results that the guest has
 * not read yet. The runs of one project hold at most half of them.
 */
export class CallBytes {
  readonly #limits: QueueLimits;
  readonly #ofProjects = new Map<string, number>();
  #held = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** False when so much more does not fit beside the `ofRun` bytes that the run has waiting. `project` null: shared. */
  take(bytes: number, ofRun: number, project: string | null): boolean {
    const { callBytesPerRun, callBytes } = this.#limits;
    if (ofRun + bytes > callBytesPerRun || this.#held + bytes > callBytes) return false;
    const ofProject = project === null ? 0 : (this.#ofProjects.get(project) ?? 0) + bytes;
    if (ofProject > callBytes * HALF) return false;
    if (project !== null) this.#ofProjects.set(project, ofProject);
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number, project: string | null): void {
    this.#held -= bytes;
    if (project === null) return;
    const left = (this.#ofProjects.get(project) ?? 0) - bytes;
    if (left > 0) this.#ofProjects.set(project, left);
    else this.#ofProjects.delete(project);
  }
}

/** Estimated: one or two bytes per character. */
export function bytesOf([, , text, chunks]: CallAnswer | CallRequest): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, text.length * 2);
}
