import { expect, test } from 'vitest';
import { fuzz } from './fuzz-run.ts';

/** The same cases each time; the long run is started manually (fuzz.ts). */
const CASES = 12_000;
const SEED = 7;

test('mutated requests run only permitted calls and leave nothing behind', { timeout: 180_000 }, async () => {
  const report = await fuzz({ cases: CASES, seed: SEED });
  expect(report.violations).toEqual([]);
  expect(report.cases).toBe(CASES);
  // If all cases were invalid, nothing would have been tested.
  expect(report.served).toBeGreaterThan(CASES / 5);
  expect(Object.keys(report.refusals).length).toBeGreaterThan(4);
  expect(report.files.end).toBeLessThan(64);
});
