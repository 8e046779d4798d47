import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { openWriter } from '#common/node/journal/writer.ts';
import { plainChain } from '#common/node/journal/testing/plain-chain.ts';
import type { AuditFilter, AuditSummary } from '../contracts.ts';
import { indexInMemory, openIndexDatabase } from './index-database.ts';
import { Indexer } from './indexer.ts';
import { search } from './search.ts';
import { SLICE_ROWS } from './slices.ts';
import { summarise } from './summary.ts';

/** The search of the journal, over real files and a real index (docs/spec/journal.md#search-and-export). */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const START = Date.parse('2026-03-01T06:00:00.000Z');
const QUIET_ROWS = 2 * SLICE_ROWS;

let folder: string;
let database: DatabaseSync;

const at = (second: number) => new Date(START + second * 1_000).toISOString();
const MES = { keyId: 'Ab3dEf6hIj9l', keyName: 'MES filling line', project: 'line-7', pipeline: 'intake' };
const WEIGHTS = { ...MES, route: '/api/v1/weights', method: 'POST', path: '/api/v1/weights' };
const ORDERS = { project: 'line-7', pipeline: 'orders', route: '/api/v1/orders/:id', method: 'GET' };
const WRITER = { keyId: 'Wr1terKey001', keyName: 'Recipe PC', project: 'line-9' };
const rateLimited = { step: 6, cause: 'rate_limited', compared: { rate: 10, burst: 0 } };

/** The rows that the tests look for, newest last. */
const ROWS: AuditRow[] = [
  { time: at(1), type: 'use', requestId: 'req-1', ...WEIGHTS, ip: '10.20.0.7' },
  { time: at(2), type: 'outcome', requestId: 'req-1', ...WEIGHTS, ip: '10.20.0.7', status: 201 },
  { time: at(3), type: 'outcome', requestId: 'req-2', ...WEIGHTS, ip: '10.20.0.7', status: 409 },
  { time: at(4), type: 'refusal', requestId: 'req-3', ...ORDERS, path: '/api/v1/orders/K-77', ip: '10.21.3.9', code: 'key_missing', status: 401, why: { step: 4, cause: 'key_missing', compared: {} } }, // prettier-ignore
  { time: at(5), type: 'refusal', ...WEIGHTS, ip: '10.20.9.9', code: 'rate_limited', status: 429, count: 40, why: rateLimited }, // prettier-ignore
  { time: at(6), type: 'outcome', requestId: 'req-4', clientRequestId: 'Batch-0815', ...WEIGHTS, ip: 'fd00:7::9', code: 'internal', status: 500, why: { step: 10, cause: 'run_failed', compared: {} } }, // prettier-ignore
  { time: at(7), type: 'admin', requestId: 'req-5', act: 'key.create', target: 'Ab3dEf6hIj9l', user: 'Ädelgard', ip: '10.20.0.1', status: 200 }, // prettier-ignore
  { time: at(60), type: 'write', form: 1, write: 'w-1', kind: 'tag', thing: 'line7/setpoint', ...WRITER, requestId: 'w-6', to: '80' }, // prettier-ignore
  { time: at(61), type: 'written', form: 1, write: 'w-1', kind: 'tag', thing: 'line7/setpoint', ...WRITER, requestId: 'w-6', to: '80', result: 'done' }, // prettier-ignore
  { time: at(62), type: 'written', form: 1, write: 'w-2', kind: 'variable', thing: 'line7/setpoint', project: 'line-8', to: '7', result: 'failed' }, // prettier-ignore
];

beforeAll(async () => {
  folder = fs.mkdtempSync(join(tmpdir(), 'sluice-search-'));
  const writer = await openWriter({ ...plainChain(folder, 'gateway'), ackMsMax: 60_000 });
  const append = (row: AuditRow) => new Promise((done) => writer.append(JSON.stringify(row), done));
  const quiet = Array.from({ length: QUIET_ROWS }, (_, index) => ({
    time: at(100 + index),
    type: 'outcome' as const,
    requestId: `old-${index}`,
    keyId: 'palletPLC001',
    keyName: 'Palletiser',
    route: '/api/v1/pallets',
    method: 'PUT',
    path: '/api/v1/pallets',
    ip: '192.168.1.5',
    status: 204,
  }));
  expect(await Promise.all([...ROWS, ...quiet].map(append))).not.toContain(false);
  await writer.close();
  database = openIndexDatabase(join(folder, `index-${randomBytes(4).toString('hex')}`));
  new Indexer(folder, database).catchUp();
});

afterAll(() => {
  database?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Every matching row, newest first, and how many pages it took. */
function all(filter: AuditFilter, msMax?: number): { rows: AuditRow[]; pages: number } {
  const rows: AuditRow[] = [];
  let cursor: string | null = null;
  for (let pages = 1; ; pages++) {
    const page = search(database, folder, { ...filter, ...(cursor !== null && { cursor }) }, msMax);
    rows.push(...page.items);
    cursor = page.next;
    if (cursor === null) return { rows, pages };
  }
}

const secondsOf = (rows: readonly AuditRow[]) => rows.map(({ time }) => (Date.parse(time) - START) / 1_000);

describe('a text is found', () => {
  test.each<[string, string, number[]]>([
    ['a part of the consumer', 'mes', [6, 5, 3, 2, 1]],
    ['two parts of the consumer', 'line FILLING', [6, 5, 3, 2, 1]],
    ['a part of the key id', 'b3def6', [7, 6, 5, 3, 2, 1]],
    ['the start of the key', 'slc_Ab3d', [6, 5, 3, 2, 1]],
    ['a whole key that was pasted', `slc_Ab3dEf6hIj9l_${'x'.repeat(43)}`, [6, 5, 3, 2, 1]],
    ['a user, whatever the case', 'ädel', [7]],
    ['an address', '10.20.0.7', [3, 2, 1]],
    ['a part of an address', '10.20.', [7, 5, 3, 2, 1]],
    ['a range of addresses', '10.20.0.0/16', [7, 5, 3, 2, 1]],
    ['a range of IPv6 addresses', 'fd00::/8', [6]],
    ['a part of the route', 'weights', [6, 5, 3, 2, 1]],
    ['a method with its route', 'post /api/v1/w', [6, 5, 3, 2, 1]],
    ['a part of the path', 'k-77', [4]],
    ['a status', '409', [3]],
    ['a cause', 'run_failed', [6]],
    ['a part of a code', 'rate_lim', [5]],
    ['a part of the request id', 'eq-4', [6]],
    ['a part of the id that the caller sent', 'batch-08', [6]],
    ['an act', 'key.create', [7]],
    ['a consumer and an address', 'mes 10.20.9.0/24', [5]],
    ['a wildcard as itself', '%', []],
    ['nothing', 'nobody has this', []],
  ])('by %s', (_, find, seconds) => {
    expect(secondsOf(all({ find, to: at(50) }).rows)).toEqual(seconds);
  });
});

test('rows are filtered by address and by outcome', () => {
  const of = (filter: AuditFilter) => secondsOf(all({ to: at(50), ...filter }).rows);
  expect(of({ address: '10.20.0.0/16' })).toEqual([7, 5, 3, 2, 1]);
  expect(of({ outcome: 'passed' })).toEqual([2]);
  expect(of({ outcome: 'refused' })).toEqual([5, 4]);
  expect(of({ outcome: 'failed' })).toEqual([6, 3]);
  expect(() => of({ address: 'the office' })).toThrow('expected an address');
});

test('a search that runs out of time continues from its page, and finds everything once', () => {
  const { rows, pages } = all({ find: 'mes' }, 0);
  expect(secondsOf(rows)).toEqual([6, 5, 3, 2, 1]);
  expect(pages).toBe(3);
  const first = search(database, folder, { find: 'mes' }, 0);
  expect(first.items).toEqual([]);
  expect(first.searchedTo).toBe(at(100 + QUIET_ROWS - SLICE_ROWS));
  expect(all({ limit: 1_000 }, 0).rows).toHaveLength(ROWS.length + QUIET_ROWS);
});

/** Everything that matches, added up page by page. */
function counted(filter: AuditFilter, msMax?: number): Omit<AuditSummary, 'next' | 'from' | 'to' | 'stepMs'> {
  let cursor: string | null = null;
  const sum = { outcomes: { passed: 0, refused: 0, failed: 0 }, bars: [] as AuditSummary['bars'] };
  const pages: AuditSummary[] = [];
  do {
    const page = summarise(database, { ...filter, ...(cursor !== null && { cursor }) }, msMax);
    pages.push(page);
    for (const name of ['passed', 'refused', 'failed'] as const) sum.outcomes[name] += page.outcomes[name];
    sum.bars.push(...page.bars);
    cursor = page.next;
  } while (cursor !== null);
  const last = pages.at(-1) as AuditSummary;
  return { ...sum, consumers: last.consumers, routes: last.routes, addresses: last.addresses };
}

test('calls are counted by outcome, time, consumer, route and address, and counted refusals with their number', () => {
  const summary = summarise(database, { from: at(0), to: at(60) });
  expect(summary.outcomes).toEqual({ passed: 1, refused: 41, failed: 2 });
  expect(summary.bars).toEqual([{ at: at(0), passed: 1, refused: 41, failed: 2 }]);
  expect(summary.stepMs).toBe(60_000);
  expect(summary.consumers).toEqual({
    values: [{ value: 'Ab3dEf6hIj9l', name: 'MES filling line', calls: 43 }],
    without: 1,
    others: 0,
  });
  expect(summary.routes.values).toEqual([
    { value: '/api/v1/weights', calls: 43 },
    { value: '/api/v1/orders/:id', calls: 1 },
  ]);
  expect(summary.addresses.values.map(({ value, calls }) => `${calls} ${value}`)).toEqual([
    '40 10.20.9.9',
    '2 10.20.0.7',
    '1 10.21.3.9',
    '1 fd00:7::9',
  ]);
});

test('each list of values leaves out its own filter', () => {
  const summary = summarise(database, { to: at(60), address: '10.20.0.7', outcome: 'failed' });
  expect(summary.bars.map(({ failed }) => failed)).toEqual([1]);
  expect(summary.outcomes).toEqual({ passed: 1, refused: 0, failed: 1 });
  expect(summary.addresses.values.map(({ value }) => value)).toEqual(['10.20.0.7', 'fd00:7::9']);
  expect(summary.routes.values).toEqual([{ value: '/api/v1/weights', calls: 1 }]);
});

test('counts that run out of time continue from their page', () => {
  expect(counted({}, 0).outcomes).toEqual({ passed: 1 + QUIET_ROWS, refused: 41, failed: 2 });
  expect(summarise(database, {}, 0).next).not.toBeNull();
  expect(counted({ find: 'palletiser' }, 0).outcomes.passed).toBe(QUIET_ROWS);
});

test('the chart of a long range has few bars', () => {
  const { bars, stepMs } = summarise(database, { from: '2020-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z' });
  expect(bars.length).toBeGreaterThan(0);
  expect((Date.parse('2026-04-01T00:00:00Z') - Date.parse('2020-01-01T00:00:00Z')) / stepMs).toBeLessThan(120);
});

test('a search for several ranges of addresses costs little more than for one', () => {
  const sql =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) ' +
    "SELECT sum(in_range('10.20.0.' || (i % 250), ?) + in_range('10.20.0.' || (i % 250), ?)) AS found FROM n";
  const query = indexInMemory().prepare(sql);
  const msOf = (...ranges: [string, string]): number => {
    const from = performance.now();
    expect(query.get(...ranges)).toEqual({ found: 40_000 });
    return performance.now() - from;
  };
  msOf('10.0.0.0/8', '10.0.0.0/8');
  expect(msOf('10.0.0.0/8', '10.20.0.0/16')).toBeLessThan(5 * msOf('10.0.0.0/8', '10.0.0.0/8') + 50);
});

describe('writes', () => {
  const ids = (filter: AuditFilter) => all(filter).rows.map(({ write, type }) => `${write} ${type}`);

  test('are found by what was written, newest first', () => {
    expect(ids({ thing: 'tag:line7/setpoint' })).toEqual(['w-1 written', 'w-1 write']);
    expect(ids({ thing: 'variable:line7/setpoint' })).toEqual(['w-2 written']);
    expect(ids({ thing: 'tag:line7/setpoint', type: 'written', project: 'line-9' })).toEqual(['w-1 written']);
    expect(ids({ thing: 'tag:line7/setpoint', project: 'line-8' })).toEqual([]);
    expect(ids({ thing: 'tag:line7/setpoint', keyId: WRITER.keyId })).toHaveLength(2);
  });

  test('are found by words of the thing, and are not counted as calls', () => {
    expect(ids({ find: 'LINE7/SETPOINT failed' })).toEqual(['w-2 written']);
    expect(summarise(database, { thing: 'tag:line7/setpoint' }).bars).toEqual([]);
  });
});
