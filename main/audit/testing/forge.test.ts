import { expect, test } from 'vitest';
import { forge } from './forge-run.ts';

/** The same forgeries each time; the long run is started manually (forge.ts). */
const FORGERIES = 150;
const SEED = 11;

test('every forgery without the secret is detected', { timeout: 120_000 }, async () => {
  const report = await forge({ forgeries: FORGERIES, seed: SEED });
  expect(report.silent).toEqual([]);
  expect(report.forgeries).toBe(FORGERIES);
  expect(Object.keys(report.kinds)).toHaveLength(15);
});
