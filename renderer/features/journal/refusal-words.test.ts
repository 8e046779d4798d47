import { expect, test } from 'vitest';
import { refusal } from '#common/errors/refusal.testing.ts';
import { wayOf } from './refusal-words.ts';

test('the steps end at the refusal, and a throttled caller without a valid key did not pass the key check either', () => {
  expect(wayOf(refusal({ step: 1 }))).toEqual(['passed', 'refused', ...Array.from({ length: 10 }, () => 'skipped')]);
  const slowed = refusal({ step: 6, code: 'rate_limited', cause: 'too_many_failed_keys' });
  expect(wayOf(slowed).slice(3, 8)).toEqual(['passed', 'refused', 'skipped', 'refused', 'skipped']);
  expect(wayOf({ ...slowed, keyId: 'K' }).slice(3, 8)).toEqual(['passed', 'passed', 'refused', 'refused', 'skipped']);
});
