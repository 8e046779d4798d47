import type { QueueLimits } from './limits.ts';
import type { CallAnswer, CallRequest } from './thread-messages.ts';

/** Arguments of capability calls under way, and what calls returned and no guest has taken yet: of all runs together. */
export class CallBytes {
  readonly #limits: QueueLimits;
  #held = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** False when so much more does not fit beside the `ofRun` bytes that the run has waiting. */
  take(bytes: number, ofRun: number): boolean {
    if (ofRun + bytes > this.#limits.callBytesPerRun || this.#held + bytes > this.#limits.callBytes) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Estimated: a character takes one byte or two. */
export function bytesOf([, , text, chunks]: CallAnswer | CallRequest): number {
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, text.length * 2);
}
