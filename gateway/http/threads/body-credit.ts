import type { Readable } from 'node:stream';
import { BODIES_UNDER_WAY_BYTES_MAX } from '../limits.ts';

/**
 * The core reports the bytes that it has taken once they reach this number, because a report wakes the thread. A
 * waiting caller has more than BODIES_UNDER_WAY_BYTES_MAX unreported, so the report is sent when its data arrives.
 */
export const BODIES_TAKEN_BYTES_MIN = BODIES_UNDER_WAY_BYTES_MAX / 4;

/**
 * Bytes of bodies that one thread has sent and the core has not taken yet: BODIES_UNDER_WAY_BYTES_MAX, plus one read
 * per socket. A caller that sends more waits until the core has caught up.
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

/** The core's side: bytes that it has taken and not reported. */
export class TakenBodies {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The bytes to report now, or 0. */
  due(): number {
    if (this.#bytes < BODIES_TAKEN_BYTES_MIN) return 0;
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes;
  }
}
