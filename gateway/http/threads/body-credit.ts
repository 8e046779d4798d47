import type { ExchangeConnection } from '../caller.ts';
import { BODIES_UNDER_WAY_BYTES_MAX } from '../limits.ts';

/** A chunk costs at least this much: its message and its Buffer. */
const CHUNK_BYTES_MIN = 256;

type BodySource = Pick<ExchangeConnection, 'pauseBody' | 'resumeBody'>;

/**
 * The core reports the bytes that it has processed once they reach this number, because a report wakes the thread. A
 * waiting caller has more than BODIES_UNDER_WAY_BYTES_MAX unreported, so the report is sent when its data arrives.
 */
export const BODIES_TAKEN_BYTES_MIN = BODIES_UNDER_WAY_BYTES_MAX / 4;

/**
 * Bytes of bodies that one thread has sent and the core has not taken yet: BODIES_UNDER_WAY_BYTES_MAX, plus one read
 * per socket. A caller that sends more waits until the core has caught up.
 */
export class BodyCredit {
  readonly #waiting = new Set<BodySource>();
  #bytes = 0;

  sent(from: BodySource, chunkBytes: number): void {
    this.#bytes += chunkCost(chunkBytes);
    if (this.#bytes <= BODIES_UNDER_WAY_BYTES_MAX) return;
    from.pauseBody();
    this.#waiting.add(from);
  }

  taken(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes > BODIES_UNDER_WAY_BYTES_MAX) return;
    for (const one of this.#waiting) one.resumeBody();
    this.#waiting.clear();
  }

  /** The body ended. */
  forget(from: BodySource): void {
    this.#waiting.delete(from);
  }
}

function chunkCost(chunkBytes: number): number {
  return Math.max(chunkBytes, CHUNK_BYTES_MIN);
}

/** The core's side: bytes that it has processed and not reported. */
export class TakenBodies {
  #bytes = 0;

  add(chunkBytes: number): void {
    this.#bytes += chunkCost(chunkBytes);
  }

  /** The bytes to report now, or 0. */
  due(): number {
    if (this.#bytes < BODIES_TAKEN_BYTES_MIN) return 0;
    const bytes = this.#bytes;
    this.#bytes = 0;
    return bytes;
  }
}
