import { expect, test } from 'vitest';
import { REFUSALS_PER_SECOND_MAX, REFUSALS_TICK_MS } from './limits.ts';
import { PacedRefusals } from './paced-refusals.ts';

const PER_TICK = (REFUSALS_PER_SECOND_MAX * REFUSALS_TICK_MS) / 1000;

function paced() {
  const sent: number[] = [];
  let tick = (): void => undefined;
  let timers = 0;
  const refusals = new PacedRefusals((run) => {
    tick = run;
    timers += 1;
    return setTimeout(() => undefined, 0);
  });
  const add = (from: number, count: number): void => {
    for (let index = from; index < from + count; index++) refusals.add(() => sent.push(index));
  };
  return { sent, add, tick: () => tick(), timers: () => timers };
}

test('a few are answered at once, more at a pace and in their order', () => {
  const { sent, add, tick } = paced();
  add(0, PER_TICK);
  expect(sent.length).toBe(PER_TICK);
  add(PER_TICK, 2 * PER_TICK + 1);
  expect(sent.length).toBe(PER_TICK);
  tick();
  expect(sent.length).toBe(2 * PER_TICK);
  tick();
  tick();
  expect(sent).toEqual(Array.from({ length: 3 * PER_TICK + 1 }, (_, index) => index));
});

test('who comes while others wait is behind them', () => {
  const { sent, add, tick } = paced();
  add(0, PER_TICK + 1);
  tick();
  add(PER_TICK + 1, 1);
  expect(sent.length).toBe(PER_TICK + 2);
  add(PER_TICK + 2, 2 * PER_TICK);
  tick();
  add(100_000, 1);
  expect(sent.at(-1)).not.toBe(100_000);
});

test('its timer ends with the refusals, and begins again with them', () => {
  const { add, tick, timers } = paced();
  add(0, 1);
  tick();
  tick();
  add(1, 1);
  expect(timers()).toBe(2);
});
