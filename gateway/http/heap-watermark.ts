import { getHeapStatistics } from 'node:v8';
import { HEAP_LOOK_MS, HEAP_WATERMARK } from './limits.ts';

/**
 * Whether the heap has room for more work. Near its limit, V8 collects repeatedly and the event loop stops, so requests
 * are refused earlier, until a collection has freed memory. V8 collects at the latest halfway between the size after
 * its last collection and the limit, so memory above the watermark is mostly still in use.
 */
export class HeapWatermark {
  readonly #look: () => { used_heap_size: number; heap_size_limit: number };
  #lookedMs = -Infinity;
  #full = false;

  constructor(look: () => { used_heap_size: number; heap_size_limit: number } = getHeapStatistics) {
    this.#look = look;
  }

  /** Measures at most every HEAP_LOOK_MS. */
  full(nowMs: number): boolean {
    if (nowMs - this.#lookedMs < HEAP_LOOK_MS) return this.#full;
    this.#lookedMs = nowMs;
    const { used_heap_size: used, heap_size_limit: limit } = this.#look();
    this.#full = used > limit * HEAP_WATERMARK;
    return this.#full;
  }
}
