import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHECK_INTERVAL_MS, ENDS_PAUSE_MS, ENDS_PER_TURN_MAX } from './limits.ts';
import { type Checked, startTimeoutSweep } from './timeout-sweep.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/**
 * This many connections are late; `ended` returns how many of them were ended so far, `looked` how often one was
 * checked.
 */
function lateCallers(count: number) {
  let ended = 0;
  let looked = 0;
  const all = Array.from({ length: count }, (): Checked => {
    let late = true;
    return {
      check() {
        looked += 1;
        if (!late) return false;
        late = false;
        ended += 1;
        return true;
      },
    };
  });
  return { all, ended: () => ended, looked: () => looked };
}

const turn = () => vi.advanceTimersByTime(ENDS_PAUSE_MS);

test('entries that expire together are ended over several turns, with a pause between them', () => {
  const { all, ended } = lateCallers(2 * ENDS_PER_TURN_MAX + 1);
  const stop = startTimeoutSweep(() => all);
  vi.advanceTimersByTime(CHECK_INTERVAL_MS - 1);
  const seen = [ended()];
  vi.advanceTimersToNextTimer();
  seen.push(ended());
  vi.advanceTimersByTime(ENDS_PAUSE_MS - 1);
  expect(ended()).toBe(ENDS_PER_TURN_MAX);
  vi.advanceTimersByTime(1);
  for (let turns = 0; turns < 3; turns++, turn()) seen.push(ended());
  stop();
  expect(seen).toEqual([0, ENDS_PER_TURN_MAX, 2 * ENDS_PER_TURN_MAX, all.length, all.length]);
});

test('entries in time are checked once a round, all in one turn', () => {
  let looked = 0;
  const inTime: Checked = { check: () => (looked++, false) };
  const stop = startTimeoutSweep(() => Array.from({ length: 4000 }, () => inTime));
  vi.advanceTimersByTime(CHECK_INTERVAL_MS);
  expect(looked).toBe(4000);
  turn();
  expect(looked).toBe(4000);
  vi.advanceTimersByTime(CHECK_INTERVAL_MS);
  stop();
  expect(looked).toBe(8000);
});

test('nothing is checked after a stop, even during a round', () => {
  const { all, looked } = lateCallers(2 * ENDS_PER_TURN_MAX);
  const stop = startTimeoutSweep(() => all);
  vi.advanceTimersByTime(CHECK_INTERVAL_MS);
  stop();
  const before = looked();
  vi.advanceTimersByTime(2 * CHECK_INTERVAL_MS);
  expect([before, looked()]).toEqual([ENDS_PER_TURN_MAX, ENDS_PER_TURN_MAX]);
});

test('a round that takes longer than the interval does not overlap with the next one', () => {
  const { all, ended } = lateCallers((4 * CHECK_INTERVAL_MS * ENDS_PER_TURN_MAX) / ENDS_PAUSE_MS);
  const stop = startTimeoutSweep(() => all);
  vi.advanceTimersByTime(2 * CHECK_INTERVAL_MS);
  const before = ended();
  for (let turns = 0; turns < 10; turns++) turn();
  stop();
  expect(ended() - before).toBe(10 * ENDS_PER_TURN_MAX);
});
