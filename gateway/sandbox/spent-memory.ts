import { getHeapStatistics } from 'node:v8';

/** Uncollected memory of spent guests: less than the maximum growth of one of them. */
const SPENT_BYTES_MAX = 32 * 1024 ** 2;

interface Heap {
  /** Of the buffers that its objects stand for, guests' memories among them. */
  externalBytes(): number;
  collect(type: 'minor' | 'major'): void;
}

/**
 * The memory of spent guests. Up to 64 MiB each, it remains until V8 collects the few objects that refer to it, and V8,
 * which sees a small heap, leaves two or three of them in each thread. So they are collected at once: most are still
 * new objects (about 0.3 ms), otherwise all objects are examined (10 to 20 ms, as much as such a guest costs anyway).
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
