import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DiskWriter } from '#common/control/messages.ts';
import { until } from '#test/until.ts';
import { DiskMeter, GROWTH_MS } from './disk-meter.ts';

const RESERVE = 100;
let free: number | null;
let nowMs: number;
let told: DiskWriter[][];
let meter: DiskMeter;
beforeEach(() => {
  free = 300;
  nowMs = 0;
  told = [];
  meter = new DiskMeter({
    folder: '/',
    reserveBytes: () => RESERVE,
    onWriters: (writers) => told.push(writers),
    freeBytes: () => free,
    lookMs: 5,
    now: () => nowMs,
  });
});
afterEach(() => meter.close());

const store = (project: string, bytes: number): void => {
  meter.expectRoom(project, bytes);
  meter.grew(project, 'files', bytes);
  if (free !== null) free -= bytes;
};
const looked = (expected: number) => until('the disk was checked', () => meter.room('nobody') === expected);

test('one project may use half of the space above the reserve, and the next one half of the rest', async () => {
  store('a', 100);
  expect(() => store('a', 1)).toThrow('more than half');
  await looked(50);
  store('b', 50);
  await looked(25);
  expect(() => store('a', 1)).toThrow('more than half');
  store('c', 25);
});

test('bytes stored since the last measurement count as used', () => {
  for (let i = 0; i < 10; i++) meter.note(`p${i}`, 'outbox', 20);
  expect(meter.room('a')).toBe(0);
  expect(() => meter.expectRoom('a', 1)).toThrow('less than its reserve of 100 bytes');
});

test('nothing is stored below the reserve, but writes that do not grow and removals are never refused', async () => {
  store('a', 60);
  free = 99;
  await looked(0);
  expect(() => meter.expectRoom('b', 1)).toThrow(expect.objectContaining({ code: 'disk_reserve' }));
  meter.expectRoom('b', 0);
  meter.expectRoom('b', -5);
  meter.grew('a', 'files', -60);
  free = 300;
  await looked(100);
  expect(meter.room('a')).toBe(100);
});

test('the growth of a project is reset after a day, and when the project is removed', async () => {
  store('a', 100);
  await looked(50);
  expect(meter.room('a')).toBe(0);
  nowMs = GROWTH_MS;
  await until('the next day has begun', () => meter.room('a') === 50);
  store('a', 50);
  meter.forget('a');
  await looked(25);
  expect(meter.room('a')).toBe(25);
});

test('nothing is refused while the free space is unknown', async () => {
  free = null;
  await looked(Infinity);
  meter.expectRoom('a', 1e12);
});

test('the largest writers are reported once when little space is left', async () => {
  free = 500;
  await looked(200);
  for (const [project, bytes] of [
    ['a', 10],
    ['b', 30],
    ['c', 20],
    ['d', 1],
  ] as const)
    meter.note(project, 'database', bytes);
  await looked(200);
  expect(told).toEqual([]);
  free = 300;
  await until('the writers are reported', () => told.length > 0);
  expect(told).toEqual([['b', 'c', 'a'].map((project) => ({ project, pipeline: null, kind: 'database' }))]);
});

test('the first writer is named at once, without waiting for a measurement', () => {
  meter.grew('a', 'variables', 10);
  expect(told).toEqual([[{ project: 'a', pipeline: null, kind: 'variables' }]]);
});

test('a pipeline is named if it stored at least half of it', () => {
  meter.note('a', 'files', 40, 'polite');
  meter.note('a', 'files', 50, 'greedy');
  meter.note('b', 'database', 20);
  meter.note('c', 'variables', 10, 'one');
  meter.note('c', 'variables', 10, 'two');
  meter.note('c', 'variables', 5, 'three');
  expect(told.at(0)).toEqual([{ project: 'a', pipeline: 'polite', kind: 'files' }]);
  return until('the list', () => {
    const [first, second, third] = told.at(-1) ?? [];
    return first?.pipeline === 'greedy' && second?.pipeline === null && third?.pipeline === null;
  });
});

test('rows of the journal are counted while writers are reported', async () => {
  free = 1_000;
  await looked(450);
  meter.noteRow('a', 'busy', 10);
  expect(meter.room('nobody')).toBe(450);
  free = 300;
  await looked(100);
  meter.noteRow(null, '', 5);
  meter.noteRow('a', 'busy', 10);
  const a = { project: 'a', pipeline: 'busy', kind: 'journal' };
  await until(
    'both writers',
    () => JSON.stringify(told.at(-1)) === JSON.stringify([a, { project: null, pipeline: null, kind: 'journal' }]),
  );
});
