import type { Readable } from 'node:stream';
import { BODIES_UNDER_WAY_BYTES_MAX } from '../limits.ts';

/**
 * What one thread has sent of bodies and the core has not taken yet: BODIES_UNDER_WAY_BYTES_MAX, and a read of each socket
 * beyond it. Who sends more waits until the core has caught up.
 */
export class BodyCredit {
  readonly #waiting = new Set<Readable>();
  #bytes = 0;

  sent(from: Readable, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= BODIES_UNDER_WAY_BYTES_MAX) return;
    from.pause();
    this.#waiting.add(from);
  }

  taken(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes > BODIES_UNDER_WAY_BYTES_MAX) return;
    for (const one of this.#waiting) one.resume();
    this.#waiting.clear();
  }

  /** It ended. */
  forget(from: Readable): void {
    this.#waiting.delete(from);
  }
}
