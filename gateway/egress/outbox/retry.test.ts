import { expect, test } from 'vitest';
import { answered, UNREACHABLE } from './core.testing.ts';
import { answerText, judge, readRetryAfter, retryDelayMs, threadRestartMs } from './retry.ts';

const WALL_MS = Date.UTC(2026, 9, 13, 14, 0, 0);

test.each([
  [200, 'delivered'],
  [201, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [301, 'dead'],
  [302, 'dead'],
  [304, 'dead'],
  [400, 'dead'],
  [401, 'pause'],
  [403, 'pause'],
  [404, 'dead'],
  [408, 'queue answered'],
  [409, 'dead'],
  [413, 'dead'],
  [422, 'dead'],
  [425, 'queue answered'],
  [429, 'target'],
  [500, 'queue answered'],
  [502, 'queue answered'],
  [503, 'queue answered'],
  [599, 'queue answered'],
])('a response of %i means: %s', (status, expected) => {
  const verdict = judge(answered(status), WALL_MS);
  expect(verdict.kind === 'retry' ? `${verdict.scope}${verdict.answered ? ' answered' : ''}` : verdict.kind).toBe(
    expected,
  );
});

test('an unreachable target holds all its queues, and a timeout only its own', () => {
  expect(judge(UNREACHABLE, WALL_MS)).toMatchObject({ kind: 'retry', scope: 'target', answered: false });
  expect(judge({ kind: 'timeout', text: 't', durationMs: 1, repeated: false }, WALL_MS)).toMatchObject({
    kind: 'retry',
    scope: 'queue',
  });
  expect(judge({ kind: 'refused', text: 'loopback', durationMs: 0, repeated: false }, WALL_MS)).toEqual({
    kind: 'pause',
    reason: 'loopback',
  });
});

test('delays double from one second to five minutes, a fifth more or less', () => {
  const plain = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1000].map((failures) => retryDelayMs(failures, 0.5) / 1000);
  expect(plain).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
  expect([retryDelayMs(1, 0), retryDelayMs(1, 1)]).toEqual([800, 1200]);
  expect([retryDelayMs(20, 0), retryDelayMs(20, 1)]).toEqual([240_000, 360_000]);
});

test.each([
  ['7', 7_000],
  [' 120 ', 120_000],
  ['0', 1_000],
  ['3600', 3_600_000],
  ['86400', 3_600_000],
  ['9999999999', 3_600_000],
  ['0000000000007', 7_000],
  ['120.5', null],
  ['5, 5', null],
  ['-5', null],
  ['Tue, 13 Oct 2026 14:00:30 GMT', 30_000],
  ['Tue, 13 Oct 2026 13:00:00 GMT', 1_000],
  ['Wed, 14 Oct 2026 14:00:00 GMT', 3_600_000],
  ['Tuesday, 13-Oct-26 14:00:30 GMT', 30_000],
  ['Tue Oct 13 14:00:30 2026', 30_000],
  ['soon', null],
  ['', null],
])('Retry-After: %s', (header, expected) => {
  expect(readRetryAfter(header, WALL_MS)).toBe(expected);
});

test('the start of a response is reported in one line, without control characters', () => {
  expect(answerText(answered(400, {}, 'no\r\nsuch\u0007 pallet'))).toBe('no such pallet');
  expect(answerText(answered(400, {}, 'x'.repeat(1000)))).toHaveLength(200);
  expect(answerText({ ...answered(200), body: null } as never)).toBe('the answer was too large to keep');
});

test('a thread that ends repeatedly is restarted after 1 s, then after twice as long each time, up to a minute', () => {
  expect([0, 1, 2, 5, 6, 2_000].map(threadRestartMs)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
});
