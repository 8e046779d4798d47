import { getHeapStatistics } from 'node:v8';

/** What spent guests may leave behind before it is collected: less than what one of them has grown by at most. */
const SPENT_BYTES_MAX = 32 * 1024 ** 2;

interface Heap {
  /** Of the buffers that its objects stand for, guests' memories among them. */
  externalBytes(): number;
  collect(type: 'minor' | 'major'): void;
}

/**
 * The memory of guests that are spent. Up to 64 MiB each, it stays until V8 collects the few objects that stand for it,
 * and V8, which sees a small heap, lets two or three of them lie in each thread. So they are collected at once: most
 * are new objects still (some 0.3 ms), or else all are looked through (10 to 20 ms, as much as such a guest costs anyway).
 */
export class SpentMemory {
  readonly #heap: Heap;
  #left = 0;

  constructor(heap: Heap = thisThread()) {
    this.#heap = heap;
  }

  /** To be called when no guest runs and nothing refers to the one that is spent. */
  collect(): void {
    if (!this.#isMuch()) return;
    this.#heap.collect('minor');
    if (!this.#isMuch()) return;
    this.#heap.collect('major');
    this.#left = this.#heap.externalBytes();
  }

  #isMuch(): boolean {
    const bytes = this.#heap.externalBytes();
    // One that a collection could not take yet is not what is needed.
    this.#left = Math.min(this.#left, bytes);
    return bytes > this.#left + SPENT_BYTES_MAX;
  }
}

/** `gc` is there with `--expose-gc`, which the gateway is started with. */
function thisThread(): Heap {
  return {
    externalBytes: () => getHeapStatistics().external_memory,
    collect: (type) => globalThis.gc?.({ type }),
  };
}
