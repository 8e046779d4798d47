import { expect, test } from 'vitest';
import type { EgressAnswer } from '#common/model/egress.ts';
import { EARLIER_TEXT_CHARS_MAX, TRIES_KEPT } from './limits.ts';
import { withTry } from './tries.ts';

const tried = (status: number, text = ''): EgressAnswer => ({
  at: '2026-03-01T05:00:00.000Z',
  status,
  text,
  durationMs: 1,
});

test('of many tries, the first and the latest are kept, oldest first', () => {
  let tries: EgressAnswer[] = [];
  for (let number = 1; number <= 30; number++) tries = withTry(tries, tried(number));
  expect(tries).toHaveLength(TRIES_KEPT);
  const statuses = tries.map(({ status }) => status);
  expect([statuses[0], statuses[1], statuses.at(-1)]).toEqual([1, 32 - TRIES_KEPT, 30]);
  expect(statuses).toEqual(statuses.toSorted((a, b) => Number(a) - Number(b)));
});

test('of an earlier response only the start is kept, of the latest all of it', () => {
  const long = 'x'.repeat(200);
  const tries = withTry(withTry([], tried(500, long)), tried(503, long));
  expect(tries.map(({ text }) => text.length)).toEqual([EARLIER_TEXT_CHARS_MAX, 200]);
});
