import { expect, test } from 'vitest';
import { Level } from './level.ts';
import { emptyTally } from './tally.ts';

const START = Date.parse('2026-03-01T06:00:00Z');
const SECOND = 1000;
const tally = (calls: number, more = {}) => ({ ...emptyTally(), calls, ...more });

test('counts leave the window as time passes, and none of them returns', () => {
  const level = new Level(60 * SECOND, 15, true);
  level.add('r:a', START, tally(3, { times: [10, 3] }));
  level.add('r:a', START + 60 * SECOND, tally(2, { refused: 1, times: [10, 1] }));
  const sum = (minutes: number) => level.sum('r:a', START + minutes * 60 * SECOND);
  expect(sum(1)).toEqual({ calls: 5, refused: 1, errors: 0 });
  expect(level.times('r:a', START + 60 * SECOND)).toEqual([10, 4]);
  expect(level.times('r:a', START + 60 * SECOND, 1)).toEqual([10, 1]);
  expect(sum(14).calls).toBe(5);
  expect(sum(15).calls).toBe(2);
  expect(sum(16).calls).toBe(0);
  level.add('r:a', START + 15 * 60 * SECOND, tally(7));
  level.add('r:a', START, tally(100), START + 15 * 60 * SECOND);
  expect(sum(15).calls).toBe(9);
  expect(level.sum('r:b', START).calls).toBe(0);
});

test('a series is a rate of the measured values, null where there are none', () => {
  const level = new Level(5 * SECOND, 6, false);
  level.measure(START, 5 * SECOND);
  level.add('', START + SECOND, tally(10));
  level.measure(START + 10 * SECOND, 2.5 * SECOND);
  level.add('', START + 11 * SECOND, tally(5));
  level.measure(START + 15 * SECOND, 0.5 * SECOND);
  level.add('', START + 15 * SECOND, tally(50));
  const now = START + 16 * SECOND;
  expect(level.series('', now)).toEqual({
    from: '2026-03-01T05:59:50.000Z',
    stepSeconds: 5,
    values: [null, null, 2, null, 2, null],
  });
  expect(level.series('', now, 1, 60).values[2]).toBe(120);
  expect(level.series('', now, 3)).toMatchObject({ stepSeconds: 15, values: [2, null] });
  expect(level.series('r:quiet', now).values).toEqual([null, null, 0, null, 0, null]);
  expect(level.rate('', now, 6)).toBe(65 / 8);
  expect(level.rate('', now + 60 * SECOND, 6)).toBeNull();
});

test('a step measured for less than half of its time is a gap, so that an outage of 11 s is visible in steps of 10 s', () => {
  for (let phase = 0; phase < 10; phase++) {
    const level = new Level(5 * SECOND, 12, false);
    const start = START + phase * SECOND;
    level.measure(start, 20 * SECOND);
    level.measure(start + 31 * SECOND, 20 * SECOND);
    const { values } = level.series('', start + 51 * SECOND, 2);
    expect(values.slice(1, -1).includes(null)).toBe(true);
  }
});

test('a measurement over several steps is divided among them', () => {
  const level = new Level(5 * SECOND, 4, false);
  level.measure(START - 100 * SECOND, 112 * SECOND);
  level.add('', START + 11 * SECOND, tally(8));
  expect(level.series('', START + 12 * SECOND).values).toEqual([0, 0, 0, 4]);
});

test('series that have ended use no room', () => {
  const level = new Level(SECOND, 10, false);
  for (let n = 0; n < 100; n++) level.add(`r:${n}`, START, tally(1));
  level.add('r:new', START + 9 * SECOND, tally(1));
  expect(level.size).toBe(101);
  level.prune(START + 10 * SECOND);
  expect(level.size).toBe(1);
});

test('a value later than now comes from a clock that was set back: it uses no place, and is replaced', () => {
  const level = new Level(60 * SECOND, 15, false);
  const ahead = START + 15 * 60 * SECOND;
  level.add('r:a', START, tally(3));
  level.add('r:a', ahead, tally(50), START);
  expect(level.sum('r:a', START).calls).toBe(3);
  level.add('r:a', ahead, tally(50));
  level.add('r:a', START, tally(2));
  expect(level.sum('r:a', START).calls).toBe(2);
});
