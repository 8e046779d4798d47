import { getHeapStatistics } from 'node:v8';

/** Uncollected memory of spent guests: less than the maximum growth of one of them. */
const SPENT_BYTES_MAX = 32 * 1024 ** 2;

interface Heap {
  /** Bytes of the buffers that its objects reference, including memories of guests. */
  externalBytes(): number;
  collect(type: 'minor' | 'major'): void;
}

/**
 * The memory of spent guests. It takes up to 64 MiB each and remains until V8 collects the few objects that reference
 * it, and V8, which sees a small heap, leaves two or three of them in each thread. So they are collected immediately:
 * usually in a scavenge (about 0.3 ms), otherwise in a full collection (10 to 20 ms, about as much as such a guest
 * costs anyway).
 */
export class SpentMemory {
  readonly #heap: Heap;
  #left = 0;

  constructor(heap: Heap = thisThread()) {
    this.#heap = heap;
  }

  /** Call it when no guest runs and nothing references the spent one. */
  collect(): void {
    if (!this.#isMuch()) return;
    this.#heap.collect('minor');
    if (!this.#isMuch()) return;
    this.#heap.collect('major');
    this.#left = this.#heap.externalBytes();
  }

  #isMuch(): boolean {
    const bytes = this.#heap.externalBytes();
    // Memory that a collection could not free yet does not require another.
    this.#left = Math.min(this.#left, bytes);
    return bytes > this.#left + SPENT_BYTES_MAX;
  }
}

/** `gc` is available with `--expose-gc`, with which the gateway is started. */
function thisThread(): Heap {
  return {
    externalBytes: () => getHeapStatistics().external_memory,
    collect: (type) => globalThis.gc?.({ type }),
  };
}
