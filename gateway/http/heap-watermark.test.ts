import { expect, test } from 'vitest';
import { HeapWatermark } from './heap-watermark.ts';
import { HEAP_LOOK_MS, HEAP_WATERMARK } from './limits.ts';

test('the heap is full above its mark until a later check finds room', () => {
  let used = 0;
  const heap = new HeapWatermark(() => ({ used_heap_size: used, heap_size_limit: 1_000 }));
  const fullAt = (nowMs: number, bytes: number) => {
    used = bytes;
    return heap.full(nowMs);
  };
  const mark = 1_000 * HEAP_WATERMARK;
  expect([fullAt(0, mark), fullAt(HEAP_LOOK_MS - 1, mark + 1), fullAt(HEAP_LOOK_MS, mark + 1)]).toEqual([
    false,
    false,
    true,
  ]);
  expect([fullAt(2 * HEAP_LOOK_MS - 1, 0), fullAt(2 * HEAP_LOOK_MS, 0)]).toEqual([true, false]);
});
