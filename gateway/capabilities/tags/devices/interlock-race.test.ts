import { expect, test } from 'vitest';
import { race } from '../interlock-race.testing.ts';

test('no write arrives later than the bound after a change of the mode was seen', { timeout: 120_000 }, async () => {
  const result = await race({ writes: 3_000, flipMs: 80 });
  expect(result.late, JSON.stringify(result)).toBe(0);
  expect(result.failed).toBe(0);
  expect(result.left).toBeGreaterThan(2);
  expect(result.performed).toBeGreaterThan(100);
  expect(result.refused).toBeGreaterThan(100);
  expect(result.arrived).toBe(result.performed);
});
