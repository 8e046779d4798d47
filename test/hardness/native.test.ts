import { expect, test } from 'vitest';
import { EqualityRun, noEquality } from './native-equality.ts';

/** The same programs each time; the long run is made by hand (native.ts). */
const COMPARED = 4_000;
const SEED = 7;

test('native runs have the same results as the engine', { timeout: 180_000 }, async () => {
  const counts = noEquality();
  const equality = await EqualityRun.open(SEED);
  while (counts.runs - counts.left < COMPARED) await equality.compare(counts.programs, counts);
  expect(counts.differences).toEqual([]);
  expect(counts.refused).toBe(0);
  expect(counts.outside).toBeLessThan(counts.programs / 10);
});
