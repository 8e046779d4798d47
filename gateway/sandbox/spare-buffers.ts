import { SPARE_BYTES_MAX } from './limits.ts';

/**
 * Buffers of guests that went on, or that will not go on any more, for the next that waits. Whoever owns them alone may
 * keep them here; beyond SPARE_BYTES_MAX the one kept for longest goes.
 */
export class SpareBuffers {
  readonly #spare: SharedArrayBuffer[] = [];
  #bytes = 0;

  /** The smallest that fits, however large: a run whose memory grows from wait to wait then needs no new ones. */
  take(bytes: number): SharedArrayBuffer {
    let best: SharedArrayBuffer | undefined;
    for (const buffer of this.#spare) {
      const { byteLength } = buffer;
      if (byteLength >= bytes && (best === undefined || byteLength < best.byteLength)) best = buffer;
    }
    if (best === undefined) return new SharedArrayBuffer(bytes);
    this.#spare.splice(this.#spare.indexOf(best), 1);
    this.#bytes -= best.byteLength;
    return best;
  }

  keep(buffer: SharedArrayBuffer): void {
    this.#spare.push(buffer);
    this.#bytes += buffer.byteLength;
    while (this.#bytes > SPARE_BYTES_MAX) this.#bytes -= this.#spare.shift()?.byteLength ?? 0;
  }

  /** All of them: they are somebody else's now. */
  giveAway(): SharedArrayBuffer[] {
    this.#bytes = 0;
    return this.#spare.splice(0);
  }
}
