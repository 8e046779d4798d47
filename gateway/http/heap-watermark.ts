import { getHeapStatistics } from 'node:v8';
import { HEAP_LOOK_MS, HEAP_WATERMARK } from './limits.ts';

/**
 * Whether the heap has room for more work. Near its limit V8 collects again and again and the event loop stops:
 * requests are refused before that, until a collection has made room. V8 collects at the latest halfway between what
 * its last collection left and the limit; so whatever passes the mark was mostly still in use.
 */
export class HeapWatermark {
  readonly #look: () => { used_heap_size: number; heap_size_limit: number };
  #lookedMs = -Infinity;
  #full = false;

  constructor(look: () => { used_heap_size: number; heap_size_limit: number } = getHeapStatistics) {
    this.#look = look;
  }

  /** Looks at most every HEAP_LOOK_MS. */
  full(nowMs: number): boolean {
    if (nowMs - this.#lookedMs < HEAP_LOOK_MS) return this.#full;
    this.#lookedMs = nowMs;
    const { used_heap_size: used, heap_size_limit: limit } = this.#look();
    this.#full = used > limit * HEAP_WATERMARK;
    return this.#full;
  }
}
