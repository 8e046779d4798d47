import { IMAGE_BYTES_MAX, SPARE_BYTES_MAX } from './limits.ts';

/**
 * Buffers of guests that have continued or have ended, for the next one that waits. Only their sole owner may return
 * them here. Beyond SPARE_BYTES_MAX the oldest is dropped, but the last one is kept, however large.
 *
 * They grow in place. A run that needs more from wait to wait would otherwise leave many unused buffers that remain
 * until V8 collects them, which a busy machine postpones.
 */
export class SpareBuffers {
  readonly #spare: SharedArrayBuffer[] = [];
  #bytes = 0;

  /** The smallest that fits; the largest, grown, when none does. Its length is `bytes` or more, at most IMAGE_BYTES_MAX. */
  take(bytes: number): SharedArrayBuffer {
    let best: SharedArrayBuffer | undefined;
    for (const buffer of this.#spare) if (best === undefined || isBetter(buffer, best, bytes)) best = buffer;
    if (best === undefined) return new SharedArrayBuffer(bytes, { maxByteLength: IMAGE_BYTES_MAX });
    this.#spare.splice(this.#spare.indexOf(best), 1);
    this.#bytes -= best.byteLength;
    if (best.byteLength < bytes) best.grow(bytes);
    return best;
  }

  keep(buffer: SharedArrayBuffer): void {
    this.#spare.push(buffer);
    this.#bytes += buffer.byteLength;
    while (this.#bytes > SPARE_BYTES_MAX && this.#spare.length > 1) this.#bytes -= this.#spare.shift()?.byteLength ?? 0;
  }

  /** All of them: they are somebody else's now. */
  giveAway(): SharedArrayBuffer[] {
    this.#bytes = 0;
    return this.#spare.splice(0);
  }
}

function isBetter({ byteLength: one }: SharedArrayBuffer, { byteLength: best }: SharedArrayBuffer, bytes: number) {
  return best < bytes ? one > best : one >= bytes && one < best;
}
