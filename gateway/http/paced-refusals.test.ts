import { expect, test } from 'vitest';
import { SHORT_REFUSALS } from './limits.ts';
import { PacedRefusals } from './paced-refusals.ts';

function paced() {
  const sent: number[] = [];
  const tells = new Map<number, () => void>();
  let nowMs = 1_000;
  let run = (): void => undefined;
  let timers = 0;
  const refusals = new PacedRefusals(
    {
      nowMs: () => nowMs,
      every(_ms, tick) {
        run = tick;
        timers += 1;
        return setTimeout(() => undefined, 0);
      },
    },
    { ...SHORT_REFUSALS, waitingMax: Infinity },
  );
  const add = (from: number, count: number): void => {
    for (let index = from; index < from + count; index++) {
      const tell = (): void => void sent.push(index);
      tells.set(index, tell);
      refusals.add(tell);
    }
  };
  const remove = (index: number): void => refusals.remove(tells.get(index) as () => void);
  /** A turn of the event loop after this time. */
  const turn = (ms: number): void => {
    nowMs += ms;
    run();
  };
  return { sent, add, remove, turn, timers: () => timers };
}

const inMs = (ms: number): number => (SHORT_REFUSALS.perSecondMax * ms) / 1000;
const first = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('a few are answered at once, more at a limited rate and in order', () => {
  const { sent, add, turn } = paced();
  add(0, SHORT_REFUSALS.atOnceMax + inMs(20) + 1);
  expect(sent.length).toBe(SHORT_REFUSALS.atOnceMax);
  turn(10);
  expect(sent.length).toBe(SHORT_REFUSALS.atOnceMax + inMs(10));
  turn(10);
  turn(10);
  expect(sent).toEqual(first(SHORT_REFUSALS.atOnceMax + inMs(20) + 1));
});

test('the rate follows the clock, however long the turns are', () => {
  for (const turnMs of [0.4, 3, 25, 80]) {
    const { sent, add, turn } = paced();
    add(0, 10_000);
    for (let ms = turnMs; ms <= 1_000; ms += turnMs) turn(turnMs);
    const told = sent.length - SHORT_REFUSALS.atOnceMax;
    expect(told, `turns of ${turnMs} ms`).toBeGreaterThan(SHORT_REFUSALS.perSecondMax * 0.95);
    expect(told, `turns of ${turnMs} ms`).toBeLessThanOrEqual(SHORT_REFUSALS.perSecondMax);
  }
});

test('a long pause is not followed by a burst', () => {
  const { sent, add, turn } = paced();
  add(0, 10_000);
  turn(60_000);
  expect(sent.length).toBe(2 * SHORT_REFUSALS.atOnceMax);
});

test('a new caller is queued behind the waiting ones', () => {
  const { sent, add, turn } = paced();
  add(0, SHORT_REFUSALS.atOnceMax + inMs(10) + 1);
  turn(10);
  add(100_000, 1);
  expect(sent.length).toBe(SHORT_REFUSALS.atOnceMax + inMs(10));
  turn(10);
  expect(sent.slice(-2)).toEqual([SHORT_REFUSALS.atOnceMax + inMs(10), 100_000]);
});

test('a caller that disconnected uses up nothing of the rate, and nobody waits longer for it', () => {
  const { sent, add, remove, turn } = paced();
  add(0, SHORT_REFUSALS.atOnceMax);
  for (let second = 1; second <= 10; second++) {
    // 3,000 callers per second that disconnect, and one that does not.
    const from = second * 10_000;
    add(from, 3_000);
    for (let index = from; index < from + 3_000; index++) remove(index);
    add(from + 5_000, 1);
    turn(10);
    expect(sent.at(-1)).toBe(from + 5_000);
  }
});

test('its timer ends with the refusals, and starts again with them', () => {
  const { add, turn, timers } = paced();
  add(0, SHORT_REFUSALS.atOnceMax + 1);
  turn(10);
  add(1, SHORT_REFUSALS.atOnceMax);
  expect(timers()).toBe(2);
});

test('an answer is given at once when too many wait', () => {
  const told: number[] = [];
  const refusals = new PacedRefusals(undefined, { perSecondMax: 1, atOnceMax: 0, waitingMax: 2 });
  for (let n = 0; n < 4; n++) refusals.add(() => void told.push(n));
  expect(told).toEqual([2, 3]);
});
