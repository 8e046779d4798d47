import type { QueueLimits } from './limits.ts';
import type { CallAnswer, CallRequest } from './thread-messages.ts';

/** Arguments of running capability calls, and results that no guest has taken yet, of all runs together. */
export class CallBytes {
  readonly #limits: QueueLimits;
  #held = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** False if this much more does not fit beside the `ofRun` bytes of the run. */
  take(bytes: number, ofRun: number): boolean {
    if (ofRun + bytes > this.#limits.callBytesPerRun || this.#held + bytes > this.#limits.callBytes) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Estimated: one or two bytes per character. */
export function bytesOf([, , text, chunks]: CallAnswer | CallRequest): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, text.length * 2);
}
