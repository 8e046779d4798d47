import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGGREGATES } from '#common/capabilities/calls.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { decode, encode, qualityOf } from './form.ts';
import { PointSource } from './reader/point-source.ts';
import { runQuery } from './reader/run-query.ts';
import { openForReading, openForWriting } from './schema.ts';
import { type NaivePoint, naiveQuery, type NaiveQuery } from './testing/naive-history.ts';
import { HistoryStore } from './writer/history-store.ts';

/** Compares each aggregate over a real file with its plain definition, with points on, at and around every boundary. */
const ORIGIN = Date.parse('2026-03-02T06:00:00Z');
const SPAN = 120;
const RUNS = 150;

const dir = dirPerFile();
let store: HistoryStore;
let source: PointSource;
let closeSource: () => void;
let paths = 0;

beforeAll(() => {
  const file = join(dir.path, 'history.sqlite');
  store = new HistoryStore(openForWriting(file));
  const db = openForReading(file);
  closeSource = () => db.close();
  // Chunks so small that every query needs several.
  source = new PointSource(db, 3);
});

afterAll(() => {
  closeSource();
  store.close();
});

const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }));
const quality = fc.constantFrom(
  'good' as const,
  'good' as const,
  'good' as const,
  'uncertain' as const,
  'bad' as const,
);
const time = fc.integer({ min: 0, max: SPAN }).map((offset) => ORIGIN + offset);
const point = fc.record({
  time,
  value: fc.oneof({ weight: 6, arbitrary: number }, fc.boolean(), fc.constantFrom('', 'on', '7')),
  quality,
});
const range = fc.tuple(time, fc.integer({ min: 1, max: SPAN })).map(([from, length]) => ({ from, to: from + length }));
const step = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: SPAN + 20 }));
const points = fc.array(point, { maxLength: 25 });

test.each(AGGREGATES)('%s matches its definition, whatever the points and the range', (aggregate) => {
  const property = fc.property(points, range, step, time, (points, { from, to }, step, now) => {
    const query: NaiveQuery = { from, to, step, now, aggregate };
    expectSame(asked(points, query), naiveQuery(points, query));
  });
  fc.assert(property, { numRuns: RUNS });
});

function asked(points: readonly NaivePoint[], { from, to, step, now, aggregate }: NaiveQuery): NaivePoint[] {
  const path = `t${++paths}`;
  const encoded = points.map(({ value, quality }) => encode(value, quality));
  store.append({
    names: [{ project: 'p', path, unit: '' }],
    series: points.map(() => 0),
    times: points.map(({ time }) => time),
    forms: encoded.map(({ form }) => form),
    values: encoded.map(({ stored }) => stored),
  });
  const stepMs = step === 0 ? null : Math.min(step, to - from);
  const series = [{ path, defined: true }];
  const steps = runQuery(source, { project: 'p', series, from, to, stepMs, aggregate, limit: 1_000, now });
  let result = steps.next();
  while (result.done !== true) result = steps.next();
  const [columns] = result.value;
  if (columns === undefined) throw new Error('the query answered no series');
  return columns.times.map((time, index) => {
    const form = columns.forms[index] ?? 0;
    // The reference model does not support JSON values.
    const value = decode(form, columns.values[index] ?? null) as NaivePoint['value'];
    return { time, value, quality: qualityOf(form) };
  });
}

/** Sums may differ in their last digits because of the order of additions. */
function expectSame(answer: readonly NaivePoint[], wanted: readonly NaivePoint[]): void {
  const close = (value: NaivePoint['value']) => (typeof value === 'number' ? expect.closeTo(value, 6) : value);
  expect(answer).toEqual(wanted.map(({ time, value, quality }) => ({ time, value: close(value), quality })));
}

test('raw returns the first points up to its limit and reports that there are more', () => {
  const points = Array.from({ length: 10 }, (_, index) => ({
    time: ORIGIN + index,
    value: index,
    quality: 'good' as const,
  }));
  const query = { from: ORIGIN, to: ORIGIN + 100, step: 0, now: ORIGIN, aggregate: 'raw' as const };
  expect(asked(points, query)).toHaveLength(10);
  for (const [limit, truncated] of [
    [9, true],
    [10, false],
  ] as const) {
    const request = { ...query, project: 'p', series: [{ path: `t${paths}`, defined: true }], stepMs: null, limit };
    const [series] = drain(runQuery(source, request));
    expect(series).toMatchObject({ truncated, times: points.slice(0, limit).map(({ time }) => time) });
  }
});

test('a result with too many characters of text is refused', () => {
  const value = 'x'.repeat(60_000);
  const points = Array.from({ length: 300 }, (_, index) => ({ time: ORIGIN + index, value, quality: 'good' as const }));
  const query = { from: ORIGIN, to: ORIGIN + 1_000, step: 0, now: ORIGIN, aggregate: 'raw' as const };
  expect(() => asked(points, query)).toThrow(/characters of text/);
  expect(asked([], { ...query, aggregate: 'count' })).toHaveLength(1);
});

function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
