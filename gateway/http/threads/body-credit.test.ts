import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { BODIES_UNDER_WAY_BYTES_MAX } from '../limits.ts';
import { BodyCredit } from './body-credit.ts';

const body = () => new Readable({ read() {} }).resume();

test('who sends beyond what the core has taken waits until it has caught up', () => {
  const credit = new BodyCredit();
  const [first, second] = [body(), body()];
  credit.sent(first, BODIES_UNDER_WAY_BYTES_MAX);
  expect(first.isPaused()).toBe(false);
  credit.sent(second, 2);
  expect([first.isPaused(), second.isPaused()]).toEqual([false, true]);
  credit.taken(1);
  expect(second.isPaused()).toBe(true);
  credit.taken(1);
  expect(second.isPaused()).toBe(false);
});

test('who was refused meanwhile is not read again', () => {
  const credit = new BodyCredit();
  const one = body();
  credit.sent(one, BODIES_UNDER_WAY_BYTES_MAX + 1);
  credit.forget(one);
  credit.taken(BODIES_UNDER_WAY_BYTES_MAX + 1);
  expect(one.isPaused()).toBe(true);
});
