import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { countsFromBlob, countsToBlob } from './counts-blob.ts';
import type { Tally } from './tally.ts';
import { FIVES_KEPT_MS, KEPT_DAYS, type StoredTally, TrafficStore } from './traffic-store.ts';
import type { Minute } from './baseline.ts';

const START = Date.parse('2026-03-01T06:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let folder: string;
let file: string;
let logged: string[];
let store: TrafficStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traffic-'));
  file = join(folder, 'traffic.sqlite');
  logged = [];
  store = open();
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function open(rowsMax?: number): TrafficStore {
  const log = createLogger('traffic', (line) => logged.push(line));
  return new TrafficStore({ file, log, ...(rowsMax !== undefined && { rowsMax }) });
}

const row = (calls: number, more: Partial<StoredTally> = {}): StoredTally => ({
  calls,
  refused: 0,
  errors: 0,
  times: [10, calls],
  samples: [10, 1],
  ...more,
});
const minute = (at: number): Minute => ({ at, measuredMs: MINUTE, calls: 1, refused: 0, p99Ms: 4.5 });
const write = (at: number, rows: Record<string, StoredTally>) =>
  store.write(minute(at), at, new Map(Object.entries(rows)), new Map());

async function loaded(since = 0): Promise<[string, number, Tally][]> {
  const rows: [string, number, Tally][] = [];
  await store.load(since, (name, at, tally) => rows.push([name, at, tally]));
  return rows;
}

test('counts are read back from bytes unchanged', () => {
  const counts = [0, 1, 7, 127, 8, 128, 200, 16_384, 255, 4_000_000_000];
  expect(countsFromBlob(countsToBlob(counts))).toEqual(counts);
  expect(countsFromBlob(countsToBlob([]))).toEqual([]);
});

test('minutes of the same five minutes add up to one row, also after a restart', async () => {
  write(START, { 'r:a': row(3), '': row(3, { refused: 1, errors: 2 }) });
  write(START + 4 * MINUTE, { 'r:a': row(2) });
  store.close();
  store = open();
  write(START + 4 * MINUTE, { 'r:a': row(1) });
  write(START + 5 * MINUTE, { 'r:a': row(9) });
  expect(await loaded()).toEqual([
    ['r:a', START, { calls: 6, refused: 0, errors: 0, times: [10, 6] }],
    ['', START, { calls: 3, refused: 1, errors: 2, times: [10, 3] }],
    ['r:a', START + 5 * MINUTE, { calls: 9, refused: 0, errors: 0, times: [10, 9] }],
  ]);
  expect(await loaded(START + MINUTE)).toHaveLength(1);
  expect(store.minutes().map(({ at, p99Ms }) => [at, p99Ms])).toEqual([
    [START, 4.5],
    [START + 4 * MINUTE, 4.5],
    [START + 5 * MINUTE, 4.5],
  ]);
});

test('the last call of each is kept', () => {
  const calls = new Map([
    ['k:1', { at: START, ip: '10.0.0.1', detail: 'POST /orders' }],
    ['r:a', { at: START, ip: '10.0.0.1', detail: null }],
  ]);
  store.write(null, START, new Map(), calls);
  store.write(null, START, new Map(), new Map([['k:1', { at: START + 5, ip: '10.0.0.2', detail: 'GET /x' }]]));
  expect(store.lastCalls()).toEqual(new Map([...calls, ['k:1', { at: START + 5, ip: '10.0.0.2', detail: 'GET /x' }]]));
});

test('old rows become hours with the same sums, samples and times', async () => {
  for (let n = 0; n < 36; n++) write(START + n * 5 * MINUTE, { 'r:a': row(2), 'k:1': row(1, { samples: [] }) });
  expect(store.rows).toBe(72);
  store.rollUp(START + FIVES_KEPT_MS);
  expect(store.rows).toBe(72);
  store.rollUp(START + FIVES_KEPT_MS + HOUR);
  expect(store.rows).toBe(50);
  store.rollUp(START + FIVES_KEPT_MS + 5 * HOUR);
  const rows = await loaded();
  expect(rows).toHaveLength(6);
  expect(rows[0]).toEqual(['r:a', START, { calls: 24, refused: 0, errors: 0, times: [10, 24] }]);
  const hours = [0, 1, 2].map((n): [number, number] => [START + n * HOUR, START + (n + 1) * HOUR]);
  expect(store.samples(hours)).toEqual(new Map([['r:a', [10, 36]]]));
  expect(store.samples(hours.slice(1))).toEqual(new Map());
});

test('rows older than 15 days are removed, and so are unused names', async () => {
  write(START, { 'r:old': row(1) });
  write(START + 10 * DAY, { 'r:new': row(1) });
  store.prune(START + KEPT_DAYS * DAY);
  expect(await loaded()).toHaveLength(2);
  store.prune(START + KEPT_DAYS * DAY + MINUTE);
  expect((await loaded()).map(([name]) => name)).toEqual(['r:new']);
  expect(store.minutes()).toHaveLength(1);
  write(START + 10 * DAY, { 'r:old': row(7) });
  expect((await loaded()).map(([name, , { calls }]) => [name, calls])).toEqual([
    ['r:new', 1],
    ['r:old', 7],
  ]);
  store.close();
  const db = new DatabaseSync(file);
  expect(db.prepare('SELECT count(*) AS n FROM series').get()).toEqual({ n: 2 });
  db.close();
});

test('beyond the limit of rows, five-minute rows become hours early, then the oldest hours are removed', async () => {
  store.close();
  store = open(16);
  for (let n = 0; n < 36; n++) write(START + n * 5 * MINUTE, { 'r:a': row(1) });
  store.prune(START + 3 * HOUR);
  expect(store.rows).toBe(14);
  expect((await loaded()).reduce((sum, [, , { calls }]) => sum + calls, 0)).toBe(36);
  for (let n = 36; n < 36 + 12 * 20; n++) write(START + n * 5 * MINUTE, { 'r:a': row(1) });
  store.prune(START + 23 * HOUR);
  expect(store.rows).toBeLessThanOrEqual(16);
  const newest = (await loaded()).at(-1);
  expect(newest?.[1]).toBeGreaterThanOrEqual(START + 22 * HOUR);
});

test.each([
  ['no database', (path: string) => fs.writeFileSync(path, 'this is no database, and never was one '.repeat(50))],
  ['a file of another version', (path: string) => new DatabaseSync(path).exec('PRAGMA user_version = 99')],
  ['one without its tables', (path: string) => new DatabaseSync(path).exec('PRAGMA user_version = 1')],
])('a file that is %s is set aside and created again', async (_what, damage) => {
  store.close();
  for (const side of ['', '-wal', '-shm']) rmSync(file + side, { force: true });
  damage(file);
  store = open();
  write(START, { 'r:a': row(1) });
  expect(await loaded()).toHaveLength(1);
  expect(fs.existsSync(`${file}.damaged`)).toBe(true);
  expect(logged.join('')).toContain('start over');
});

test('a file whose damage shows only when it is read is set aside, and counts continue', async () => {
  for (let n = 0; n < 600; n++) write(START + n * 5 * MINUTE, { 'r:a': row(1), 'r:b': row(2) });
  store.close();
  const bytes = fs.readFileSync(file);
  bytes.fill(0x5a, Math.floor((bytes.length * 0.75) / 4096) * 4096);
  fs.writeFileSync(file, bytes);
  store = open();
  expect(fs.existsSync(`${file}.damaged`)).toBe(false);
  await loaded();
  for (let n = 0; n < 3; n++) write(START + n * MINUTE, { 'r:c': row(1) });
  expect((await loaded()).map(([name]) => name)).toEqual(['r:c']);
  expect(fs.existsSync(`${file}.damaged`)).toBe(true);
});

test('counts are in memory where no file can be created', async () => {
  store.close();
  rmSync(folder, { recursive: true });
  store = open();
  write(START, { 'r:a': row(1) });
  expect(await loaded()).toHaveLength(1);
  expect(logged.join('')).toContain('memory only');
  fs.mkdirSync(folder);
});

test('forgetting removes only the rows of the series with that name prefix', async () => {
  write(START, { 'r:a/x/y': row(3), 'r:ab/x/y': row(2), '': row(5) });
  expect(store.rows).toBe(3);
  store.forget('r:a/');
  expect(store.rows).toBe(2);
  expect((await loaded()).map(([name]) => name).toSorted()).toEqual(['', 'r:ab/x/y']);
  write(START, { 'r:a/x/y': row(1) });
  expect((await loaded()).find(([name]) => name === 'r:a/x/y')?.[2].calls).toBe(1);
});
