import { expect, test } from 'vitest';
import { SPARE_BYTES_MAX } from './limits.ts';
import { SpareBuffers } from './spare-buffers.ts';

const KIB = 1024;
const buffer = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

test('the smallest spare buffer that fits is used again, and a new one only when none does', () => {
  const spare = new SpareBuffers();
  const [small, fitting, large] = [buffer(KIB), buffer(2 * KIB), buffer(3 * KIB)];
  for (const one of [large, small, fitting]) spare.keep(one);
  expect(spare.take(2 * KIB)).toBe(fitting);
  expect(spare.take(2 * KIB)).toBe(large);
  expect([small, fitting, large]).not.toContain(spare.take(2 * KIB));
});

test('beyond what may be kept, the one kept for longest goes', () => {
  const spare = new SpareBuffers();
  const all = [1, 2, 3].map(() => buffer(SPARE_BYTES_MAX / 2));
  for (const one of all) spare.keep(one);
  expect(spare.giveAway()).toEqual(all.slice(1));
  expect(spare.giveAway()).toEqual([]);
});
