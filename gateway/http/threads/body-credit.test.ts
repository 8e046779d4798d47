import { expect, test } from 'vitest';
import { BODIES_UNDER_WAY_BYTES_MAX } from '../limits.ts';
import { BODIES_TAKEN_BYTES_MIN, BodyCredit, TakenBodies } from './body-credit.ts';

function body() {
  let paused = false;
  return {
    pauseBody: () => void (paused = true),
    resumeBody: () => void (paused = false),
    isPaused: () => paused,
  };
}

test('a caller that sends more than the core has read waits until the core has caught up', () => {
  const credit = new BodyCredit();
  const [first, second] = [body(), body()];
  credit.sent(first, BODIES_UNDER_WAY_BYTES_MAX);
  expect(first.isPaused()).toBe(false);
  credit.sent(second, 300);
  expect([first.isPaused(), second.isPaused()]).toEqual([false, true]);
  credit.taken(299);
  expect(second.isPaused()).toBe(true);
  credit.taken(1);
  expect(second.isPaused()).toBe(false);
});

test('a caller that was refused in the meantime is not read again', () => {
  const credit = new BodyCredit();
  const one = body();
  credit.sent(one, BODIES_UNDER_WAY_BYTES_MAX + 1);
  credit.forget(one);
  credit.taken(BODIES_UNDER_WAY_BYTES_MAX + 1);
  expect(one.isPaused()).toBe(true);
});

test('small bodies are not reported individually', () => {
  const taken = new TakenBodies();
  taken.add(BODIES_TAKEN_BYTES_MIN - 1);
  expect(taken.due()).toBe(0);
  taken.add(1);
  expect([taken.due(), taken.due()]).toEqual([BODIES_TAKEN_BYTES_MIN + 255, 0]);
});

test.each([1, 100, 1000, 16_384, 65_536, BODIES_TAKEN_BYTES_MIN - 1, BODIES_UNDER_WAY_BYTES_MAX])(
  'a caller that sends in chunks of %i bytes continues when the core has read them',
  (bytes) => {
    const credit = new BodyCredit();
    const taken = new TakenBodies();
    const one = body();
    // Even if the core had little unreported before.
    for (const kept of [0, 1, BODIES_TAKEN_BYTES_MIN - 1]) {
      credit.sent(one, kept);
      taken.add(kept);
      const pieces: number[] = [];
      for (; !one.isPaused(); pieces.push(bytes)) credit.sent(one, bytes);
      for (const piece of pieces) {
        taken.add(piece);
        credit.taken(taken.due());
      }
      expect(one.isPaused()).toBe(false);
    }
  },
);
