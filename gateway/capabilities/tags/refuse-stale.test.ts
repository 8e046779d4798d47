import { expect, test } from 'vitest';
import type { TagValue } from '#common/model/tag.ts';
import { refuseStale } from './refuse-stale.ts';

const NOW = Date.parse('2026-03-01T06:00:00Z');
const value = (more: Partial<TagValue>): TagValue => ({
  path: 'line7/level',
  value: 7,
  quality: 'good',
  reason: null,
  time: '2026-03-01T05:59:55.000Z',
  unit: '%',
  ...more,
});

function failureOf(values: TagValue[], maxAge: number | undefined): unknown {
  try {
    refuseStale(values, maxAge, () => 'plc-1', NOW);
    return null;
  } catch (error) {
    return error;
  }
}

test.each([
  ['without a contract', { quality: 'bad' as const, time: null }, undefined],
  ['of exactly the age', {}, 5],
  ['of uncertain quality', { quality: 'uncertain' as const }, 5],
  ['from a source with a clock ahead', { time: '2026-03-01T07:00:00.000Z' }, 5],
])('a value %s passes', (_what, more, maxAge) => {
  expect(failureOf([value(more)], maxAge)).toBeNull();
});

test.each([
  ['old', {}, 'line7/level of plc-1 is 5 s old; expected at most 4 s'],
  ['bad', { quality: 'bad' as const, reason: 'no answer' }, 'is bad (no answer); expected at most 4 s'],
  ['without a time', { time: null }, 'is Infinity s old'],
])('a value that is %s is refused, naming the tag and the device', (_what, more, text) => {
  const fresh = value({ path: 'line7/speed', time: '2026-03-01T06:00:00.000Z' });
  expect(failureOf([fresh, value(more)], 4)).toMatchObject({
    code: 'tag_stale',
    message: expect.stringContaining(text),
  });
});
