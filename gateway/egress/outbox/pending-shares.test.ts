import { expect, test } from 'vitest';
import { PENDING_BYTES_MAX, PENDING_BYTES_PER_PROJECT_MAX, PENDING_EVENTS_MAX } from './limits.ts';
import { PendingShares } from './pending-shares.ts';

const others = () => false;
const alone = () => true;

test('a project leaves half of the waiting places and most of the bytes to others, and may use all of them on its own', () => {
  const shares = new PendingShares();
  shares.change('greedy', PENDING_EVENTS_MAX / 2, 0);
  expect(shares.refusal('greedy', 0, others)).toContain('of the project "greedy"');
  expect(shares.refusal('greedy', 0, alone)).toBe(null);
  expect(shares.refusal('polite', 0, others)).toBe(null);
  shares.change('greedy', -PENDING_EVENTS_MAX / 2, 0);
  shares.change('greedy', 1, PENDING_BYTES_PER_PROJECT_MAX);
  expect(shares.refusal('greedy', 1, others)).toContain('of the project "greedy"');
  expect(shares.refusal('polite', PENDING_BYTES_PER_PROJECT_MAX, others)).toBe(null);
  shares.change('polite', 1, PENDING_BYTES_MAX - PENDING_BYTES_PER_PROJECT_MAX);
  expect(shares.refusal('third', 1, others)).toContain('too many calls wait');
});
