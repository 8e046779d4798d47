import type { Readable } from 'node:stream';
import { BODIES_UNDER_WAY_BYTES_MAX } from '../limits.ts';

/**
 * The core says what it has taken from this many bytes on: to say it wakes the thread. Who waits has sent more than
 * BODIES_UNDER_WAY_BYTES_MAX that was not said yet, so it is said when that arrives.
 */
export const BODIES_TAKEN_BYTES_MIN = BODIES_UNDER_WAY_BYTES_MAX / 4;

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

/** The core's side: what it has taken and not said. */
export class TakenBodies {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The bytes to say now, or 0. */
  due(): number {
    if (this.#bytes < BODIES_TAKEN_BYTES_MIN) return 0;
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes;
  }
}
