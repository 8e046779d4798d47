import { expect, test } from 'vitest';
import { IMAGE_BYTES_MAX, SPARE_BYTES_MAX } from './limits.ts';
import { SpareBuffers } from './spare-buffers.ts';

const KIB = 1024;
const buffer = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes, { maxByteLength: IMAGE_BYTES_MAX });

test('the smallest spare buffer that fits is used again; when none does, the largest grows', () => {
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

test('beyond what may be kept, the one kept for longest goes', () => {
  const spare = new SpareBuffers();
  const all = [1, 2, 3].map(() => buffer(SPARE_BYTES_MAX / 2));
  for (const one of all) spare.keep(one);
  expect(spare.giveAway()).toEqual(all.slice(1));
  expect(spare.giveAway()).toEqual([]);
});
