import { expect, test } from 'vitest';
import { KEPT_PER_KEY, KEYS_MAX, RecentRefusals, type SeenRefusal } from './recent-refusals.ts';

const refusal = (requestId: string): SeenRefusal => ({
  time: '2026-11-28T06:00:00.000Z',
  requestId,
  method: 'GET',
  path: '/state',
  status: 403,
  code: 'scope_missing',
  cause: 'scope_missing',
  detail: 'The API key lacks: tag:read.',
});

test('the last refusals of a key are kept, the newest first, and those of another key apart', () => {
  const refusals = new RecentRefusals();
  for (let n = 0; n < KEPT_PER_KEY + 5; n++) refusals.add('a', refusal(`r${n}`));
  refusals.add('b', refusal('b'));
  expect(refusals.of('a')).toHaveLength(KEPT_PER_KEY);
  expect(refusals.of('a')[0]).toMatchObject({ requestId: `r${KEPT_PER_KEY + 4}` });
  expect(refusals.of('b')).toEqual([refusal('b')]);
  expect(refusals.of('c')).toEqual([]);
});

test('at most so many keys have refusals: the one that was refused least recently is forgotten', () => {
  const refusals = new RecentRefusals();
  for (let n = 0; n < KEYS_MAX; n++) refusals.add(`key ${n}`, refusal('r'));
  refusals.add('key 0', refusal('again'));
  refusals.add('new', refusal('r'));
  expect(refusals.of('key 1')).toEqual([]);
  expect(refusals.of('key 0')).toHaveLength(2);
});
