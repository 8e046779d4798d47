import { expect, test } from 'vitest';
import { isSupervised } from './watched-gateway.ts';

test.each([
  ['running', 1e9, true],
  ['starting', 1e9, true],
  ['draining', 1e9, true],
  ['dead', 35_000, true],
  ['dead', 61_000, false],
  ['stopping', 5_000, true],
  ['stopping', 31_000, false],
] as const)('a gateway that is %s for %i ms', (state, forMs, expected) => {
  expect(isSupervised(state, forMs)).toBe(expected);
});
