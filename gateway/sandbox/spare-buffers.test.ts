import { expect, test } from 'vitest';
import { IMAGE_BYTES_MAX, SPARE_BYTES_MAX } from './limits.ts';
import { freeBuffer, SpareBuffers } from './spare-buffers.ts';

const KIB = 1024;
const buffer = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes, { maxByteLength: IMAGE_BYTES_MAX });

test('the smallest spare buffer that fits is reused; when none does, the largest grows', () => {
  const spare = new SpareBuffers();
  const [small, middle, fitting, large] = [buffer(KIB), buffer(2 * KIB), buffer(3 * KIB), buffer(4 * KIB)];
  for (const one of [middle, large, small, fitting]) spare.keep(one);
  expect(spare.take(3 * KIB)).toBe(fitting);
  expect(spare.take(3 * KIB)).toBe(large);
  expect(spare.take(3 * KIB)).toBe(middle);
  expect(middle.byteLength).toBe(3 * KIB);
  expect(spare.take(KIB)).toBe(small);
  expect([small, middle, fitting, large]).not.toContain(spare.take(KIB));
});

test('a run that needs more from wait to wait keeps its one buffer', () => {
  const spare = new SpareBuffers();
  const first = spare.take(KIB);
  spare.keep(first);
  for (let bytes = KIB; bytes <= IMAGE_BYTES_MAX; bytes *= 2) {
    expect(spare.take(bytes)).toBe(first);
    spare.keep(first);
  }
});

test('a small run does not hold the buffer of a large one', () => {
  const spare = new SpareBuffers();
  spare.keep(buffer(SPARE_BYTES_MAX));
  expect(spare.take(KIB).byteLength).toBe(KIB);
});

test('beyond the limit the largest buffers are freed', () => {
  const spare = new SpareBuffers();
  const [small, large, huge] = [buffer(KIB), buffer(SPARE_BYTES_MAX), buffer(IMAGE_BYTES_MAX)];
  for (const one of [huge, small, large]) spare.keep(one);
  spare.trim();
  expect([small, large, huge].map(({ detached }) => detached)).toEqual([false, true, true]);
  expect(spare.take(KIB)).toBe(small);
});

test.runIf(process.platform === 'linux')('a freed buffer returns its memory at once', () => {
  const before = process.memoryUsage.rss();
  const held = Array.from({ length: 4 }, () => buffer(IMAGE_BYTES_MAX));
  for (const one of held) new Uint8Array(one).fill(1);
  expect(process.memoryUsage.rss() - before).toBeGreaterThan(3 * IMAGE_BYTES_MAX);
  for (const one of held) freeBuffer(one);
  expect(process.memoryUsage.rss() - before).toBeLessThan(IMAGE_BYTES_MAX);
});
