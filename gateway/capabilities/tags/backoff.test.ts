import { expect, test } from 'vitest';
import { createBackoff, keepConnected } from './backoff.ts';
import { ConnectionLost } from './dial.ts';

test('delays double from half a second to thirty seconds and start over after a success', () => {
  const backoff = createBackoff(() => 0.5);
  expect(Array.from({ length: 8 }, () => backoff.next())).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
  backoff.reset();
  expect(backoff.next()).toBe(500);
});

test('each delay is up to a fifth shorter or longer', () => {
  expect(createBackoff(() => 0).next()).toBe(400);
  expect(createBackoff(() => 1).next()).toBe(600);
});

test('a connection is retried until it is no longer wanted, and its final end is not reported', async () => {
  const abort = new AbortController();
  const ended: string[] = [];
  let sessions = 0;
  const kept = {
    session: () => {
      if (++sessions === 3) abort.abort();
      return Promise.resolve(new ConnectionLost(`end ${sessions}`));
    },
    ended: ({ message }: ConnectionLost) => void ended.push(message),
  };
  await keepConnected(kept, abort.signal, { next: () => 1, reset: () => undefined });
  expect(ended).toEqual(['end 1', 'end 2']);
});
