import { expect, test } from 'vitest';
import { fuzz } from './fuzz-run.ts';

/** The same cases each time; the long run is made by hand (fuzz.ts). */
const CASES = 12_000;
const SEED = 7;

test('mutated requests run no more than is permitted and leave nothing behind', { timeout: 180_000 }, async () => {
  const report = await fuzz({ cases: CASES, seed: SEED });
  expect(report.violations).toEqual([]);
  expect(report.cases).toBe(CASES);
  // Were the cases all rubbish, nothing would have been tried.
  expect(report.served).toBeGreaterThan(CASES / 5);
  expect(Object.keys(report.refusals).length).toBeGreaterThan(4);
  expect(report.files.end).toBeLessThan(64);
});
