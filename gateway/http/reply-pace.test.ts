import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ReplyPace } from './reply-pace.ts';

const REPLY = 1_000_000;

/** The time when the reply is given up, in ms, if `left` bytes of it wait at each half second; null: never. */
function givenUpAt(left: (ms: number) => number): number | null {
  let now = 0;
  const socket = Object.defineProperty(new Socket(), 'writableLength', { get: () => left(now) });
  const pace = new ReplyPace(socket, 0);
  for (; now <= 120_000 && left(now) > 0; now += 500) if (pace.tooSlow(now)) return now;
  return null;
}

test.each([
  ['of which nothing is taken', () => REPLY, 5_500],
  ['of which nothing is taken any more', (ms: number) => REPLY - Math.min(ms, 20_000) * 10, 25_500],
  ['that is taken drop by drop', (ms: number) => REPLY - ms / 100, 5_500],
  ['that is taken at 1.1 KiB a second', (ms: number) => REPLY - 1.13 * ms, null],
  ['that is taken at 0.9 KiB a second', (ms: number) => REPLY - 0.92 * ms, 49_500],
])('a reply %s', (_name, left, at) => {
  expect(givenUpAt(left)).toBe(at);
});
