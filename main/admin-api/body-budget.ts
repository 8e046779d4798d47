import type { IncomingMessage, ServerResponse } from 'node:http';
import { SluiceError } from '#common/errors/catalogue.ts';
import { BODY_BYTES_MAX } from '#common/contract/declaration.ts';
import { stated } from '#common/errors/rules.ts';

/**
 * Memory for the bodies of all calls with a session, from their heads to the ends of their responses. A body that does
 * not fit is refused with 503 before it is read.
 *
 * Limits: one body over 1 MiB at a time, such as an import; 32 MiB for all others together.
 */
export const SMALL_BODIES_BYTES_MAX = 32 * 1024 * 1024;
const RETRY_SECONDS = 5;

export class BodyBudget {
  #smallBytes = 0;
  #largeIsUnderWay = false;

  /** Held until the response has ended. `bytesMax`: the limit for a body without a length. Throws `overloaded`. */
  take(request: IncomingMessage, response: ServerResponse, bytesMax: number): void {
    const bytes = Math.min(Number(request.headers['content-length'] ?? bytesMax), bytesMax);
    response.once('close', bytes > BODY_BYTES_MAX ? this.#takeLarge() : this.#takeSmall(bytes));
  }

  #takeLarge(): () => void {
    if (this.#largeIsUnderWay) throw busy('Another large request is in progress, such as an import');
    this.#largeIsUnderWay = true;
    return () => (this.#largeIsUnderWay = false);
  }

  #takeSmall(bytes: number): () => void {
    if (this.#smallBytes + bytes > SMALL_BODIES_BYTES_MAX) throw busy('Too many requests with a body are in progress');
    this.#smallBytes += bytes;
    return () => (this.#smallBytes -= bytes);
  }
}

function busy(reason: string): SluiceError {
  return new SluiceError('overloaded', stated('bodies_busy', { reason }), { retryAfterSeconds: RETRY_SECONDS });
}
