import { IMAGE_BYTES_MAX, SPARE_BYTES_MAX } from './limits.ts';

/**
 * Buffers of guests that have continued, for the next waiting guest of this thread.
 *
 * A buffer has one owner: posting it to another thread transfers it, and an owner that no longer needs it frees it.
 * Nothing is left to V8, which collects late on a busy machine. Each is resizable, so it is a separate memory mapping:
 * it grows in place, and freeing it returns its memory to the system immediately.
 *
 * Limits: SPARE_BYTES_MAX after `trim`; during a run one more buffer, that of the run.
 */
export class SpareBuffers {
  readonly #spare: ArrayBuffer[] = [];
  #bytes = 0;

  /**
   * The smallest that fits; if none does, the largest one, grown. Its length is `bytes` to twice that, at most
   * IMAGE_BYTES_MAX.
   */
  take(bytes: number): ArrayBuffer {
    let best: ArrayBuffer | undefined;
    for (const buffer of this.#spare) if (best === undefined || isBetter(buffer, best, bytes)) best = buffer;
    if (best === undefined) return new ArrayBuffer(bytes, { maxByteLength: IMAGE_BYTES_MAX });
    this.#spare.splice(this.#spare.indexOf(best), 1);
    this.#bytes -= best.byteLength;
    if (best.byteLength < bytes || best.byteLength > 2 * bytes) best.resize(bytes);
    return best;
  }

  keep(buffer: ArrayBuffer): void {
    this.#spare.push(buffer);
    this.#bytes += buffer.byteLength;
  }

  /** Frees the largest buffers until the rest is within the limit. Call it after each run, which may reuse its own. */
  trim(): void {
    if (this.#bytes <= SPARE_BYTES_MAX) return;
    this.#spare.sort((one, other) => one.byteLength - other.byteLength);
    for (
      let last = this.#spare.at(-1);
      last !== undefined && this.#bytes > SPARE_BYTES_MAX;
      last = this.#spare.at(-1)
    ) {
      this.#bytes -= last.byteLength;
      this.#spare.pop();
      freeBuffer(last);
    }
  }
}

/** Releases the memory immediately. */
export function freeBuffer(buffer: ArrayBuffer): void {
  buffer.transferToFixedLength(0);
}

function isBetter({ byteLength: one }: ArrayBuffer, { byteLength: best }: ArrayBuffer, bytes: number) {
  return best < bytes ? one > best : one >= bytes && one < best;
}
