import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { HeadPace } from './head-pace.ts';

/**
 * A socket with this many received bytes at each half second, and the time when its head is late, in ms; null: never.
 */
function lateAt(bytes: (ms: number) => number, idleFromMs: number | null = null): number | null {
  let now = 0;
  const socket = Object.defineProperty(new Socket(), 'bytesRead', { get: () => bytes(now) });
  const pace = new HeadPace(socket, 0);
  for (; now <= 60_000; now += 500) {
    if (now === idleFromMs) pace.idle(now);
    if (pace.tooSlow(now)) return now;
  }
  return null;
}

test.each([
  ['of which nothing comes', () => 0, 5_500],
  ['of which half comes', () => 20, 5_500],
  ['that comes drop by drop', (ms: number) => ms / 500, 5_500],
])('a first head %s', (_name, bytes, at) => {
  expect(lateAt(bytes)).toBe(at);
});

test.each([
  ['of which nothing comes is not due', () => 100, null],
  ['is due from its first bytes on', (ms: number) => (ms < 20_000 ? 100 : 101), 25_500],
  ['that arrives byte by byte is due as well', (ms: number) => 100 + ms / 500, 8_000],
])('a head on a kept connection %s', (_name, bytes, at) => {
  expect(lateAt(bytes, 2_000)).toBe(at);
});

test('a kept connection is idle from its last reply until the first byte of the next request', () => {
  let bytes = 100;
  const socket = Object.defineProperty(new Socket(), 'bytesRead', { get: () => bytes });
  const pace = new HeadPace(socket, 0);
  expect(pace.idleSinceMs).toBeNull();
  pace.idle(7);
  expect(pace.idleSinceMs).toBe(7);
  bytes += 1;
  expect(pace.idleSinceMs).toBeNull();
});
