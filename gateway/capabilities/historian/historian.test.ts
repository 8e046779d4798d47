import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scopeMask } from '#common/scopes.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until, within } from '#test/until.ts';
import { grantsPrincipal } from '../principal.ts';
import { openForWriting } from './schema.ts';
import { resourcesOf } from './fake-tags.ts';
import { at, openHistorian, START, type TestHistorian } from './harness.ts';
import { HistoryStore } from './writer/history-store.ts';
import type { PointBatch } from './writer/messages.ts';

const RANGE = { from: at(0), to: at(60_000) };
const HOUR_MS = 3_600_000;
/** One more tag of the same project still fits. */
const HEAVY = 15;

function seriesBatch(project: string, path: string, count: number, from: number, stepMs: number): PointBatch {
  const places = Array.from({ length: count }, (_, index) => index);
  return {
    names: [{ project, path, unit: '' }],
    series: places.map(() => 0),
    times: places.map((place) => from + place * stepMs),
    forms: places.map(() => 4),
    values: places.map((place) => place),
  };
}

/** Writes points directly into the historian's file, bypassing its writer. */
function fill(at: { file: string }, ...batches: PointBatch[]): void {
  const store = new HistoryStore(openForWriting(at.file));
  for (const batch of batches) store.append(batch);
  store.close();
}

test('recorded values can be read at once, with their unit, oldest first', async () => {
  await using history = await openHistorian();
  await history.historian.configure?.('p', resourcesOf('p', [{ path: 'line/speed', unit: 'm/s' }]));
  history.tags.sample('line/speed', 2, START + 2_000);
  history.tags.sample('line/speed', 1, START + 1_000);
  history.tags.sample('line/speed', null, START + 3_000, 'bad');
  expect(await history.query({ tags: ['line/speed'], ...RANGE })).toEqual([
    {
      tag: 'line/speed',
      unit: 'm/s',
      truncated: false,
      points: [
        { time: at(1_000), value: 1, quality: 'good' },
        { time: at(2_000), value: 2, quality: 'good' },
        { time: at(3_000), value: null, quality: 'bad' },
      ],
    },
  ]);
});

test('values of every type are read back unchanged', async () => {
  await using history = await openHistorian();
  const values = { number: 1.5, boolean: true, text: 'Süßöl', json: { a: [1, null] }, integer: -(2 ** 40) };
  await history.historian.configure?.(
    'p',
    resourcesOf(
      'p',
      Object.keys(values).map((path) => ({ path, type: 'json' as const })),
    ),
  );
  for (const [path, value] of Object.entries(values)) history.tags.sample(path, value, START, 'uncertain');
  const series = await history.query({ tags: ['*'], ...RANGE });
  expect(Object.fromEntries(series.map(({ tag, points }) => [tag, points]))).toEqual(
    Object.fromEntries(
      Object.entries(values).map(([path, value]) => [path, [{ time: at(0), value, quality: 'uncertain' }]]),
    ),
  );
});

test('points survive the historian, and those of a removed tag can be read by its path', async () => {
  await using first = await openHistorian();
  await first.historian.configure?.('p', resourcesOf('p', [{ path: 'old', unit: 'bar' }]));
  first.tags.sample('old', 7, START);
  await first.historian.flush(5_000);
  await using second = await openHistorian({ file: first.file });
  await second.historian.configure?.('p', resourcesOf('p', [{ path: 'new' }]));
  const [series] = await second.query({ tags: ['old'], ...RANGE });
  expect(series).toMatchObject({ tag: 'old', unit: 'bar', points: [{ value: 7 }] });
  await expect(second.query({ tags: ['ol*'], ...RANGE })).rejects.toMatchObject({ code: 'tag_unknown' });
  await expect(second.query({ tags: ['never'], ...RANGE })).rejects.toMatchObject({ code: 'tag_unknown' });
});

test('a project reads only its own tags', async () => {
  await using history = await openHistorian();
  for (const project of ['p', 'q']) await history.historian.configure?.(project, resourcesOf(project, [{ path: 'a' }]));
  fill(history, seriesBatch('q', 'secret', 3, START, 1_000));
  await expect(history.query({ tags: ['secret'], ...RANGE })).rejects.toMatchObject({ code: 'tag_unknown' });
});

test('nothing is read without hist:read', async () => {
  await using history = await openHistorian();
  const principal = grantsPrincipal(scopeMask(['tag:read', 'db:write']));
  await expect(history.query({ tags: ['a'], ...RANGE }, { principal })).rejects.toMatchObject({
    missing: ['hist:read'],
  });
});

test('a deleted project leaves no points, and a new one with the same name does not get them', async () => {
  await using history = await openHistorian();
  const resources = resourcesOf('p', [{ path: 'a' }]);
  await history.historian.configure?.('p', resources);
  history.tags.sample('a', 1, START);
  await history.historian.flush(5_000);
  history.tags.sample('a', 2, START + 1_000);
  await history.historian.configure?.('p', null);
  expect(history.tags.watches).toBe(0);
  await expect(history.query({ tags: ['a'], ...RANGE })).rejects.toMatchObject({ code: 'tag_unknown' });
  await until('its points are gone', () => rows(history) === 0);
  await history.historian.configure?.('p', resourcesOf('p', [{ path: 'a', history: null }]));
  expect((await history.query({ tags: ['a'], ...RANGE }))[0]?.points).toEqual([]);
});

function rows(history: TestHistorian): number {
  const db = openForWriting(history.file);
  const count = Number(
    db.prepare('SELECT (SELECT count(*) FROM points) + (SELECT count(*) FROM series) AS n').get()?.['n'],
  );
  db.close();
  return count;
}

describe('the file', () => {
  const silent = resourcesOf('p', [{ path: 'a', history: null }]);

  test('is created when a tag is to be recorded, not before', async () => {
    await using history = await openHistorian();
    await history.historian.configure?.('p', silent);
    await history.historian.configure?.('q', null);
    expect(existsSync(history.file)).toBe(false);
    await history.historian.configure?.('p', resourcesOf('p', [{ path: 'a' }]));
    await until('the file is there', () => existsSync(history.file));
  });

  test('is created by a read, which returns nothing', async () => {
    await using history = await openHistorian();
    await history.historian.configure?.('p', silent);
    expect((await history.query({ tags: ['a'], ...RANGE }))[0]?.points).toEqual([]);
  });

  test('that cannot be created is reported as soon as a tag is to be recorded', async () => {
    await using dir = await tempDir();
    await using history = await openHistorian({ file: join(dir.path, 'gone', 'history.sqlite') });
    await history.historian.configure?.('p', resourcesOf('p', [{ path: 'a' }]));
    await until('it is reported', () =>
      history.lines.some((line) => line.startsWith('error: the history cannot be written')),
    );
  });
});

describe('retention', () => {
  test('removes points older than its days, and series that are then empty', async () => {
    await using dir = await tempDir();
    const file = join(dir.path, 'history.sqlite');
    const day = 24 * HOUR_MS;
    fill(
      { file },
      seriesBatch('p', 'old', 5_000, Date.now() - 12 * day, 1_000),
      seriesBatch('p', 'both', 5_000, Date.now() - 10 * day - 2_500_000, 1_000),
    );
    // Nothing is recorded and no query runs.
    await using history = await openHistorian({ file, retentionDays: 10, pruneEveryMs: 20 });
    await until('the old series is gone', () => rows(history) < 2_600);
    const series = await history.query({
      tags: ['both'],
      from: 'now-20d',
      to: '2100-01-01T00:00:00Z',
      aggregate: 'count',
    });
    expect(Number(series[0]?.points[0]?.value)).toBeGreaterThan(2_000);
    await expect(history.query({ tags: ['old'], ...RANGE })).rejects.toMatchObject({ code: 'tag_unknown' });
  });

  test('keeps the file within its size by removing the oldest points of all tags', async () => {
    const bytesMax = 200_000;
    await using history = await openHistorian({ bytesMax, pruneEveryMs: 20 });
    await history.historian.flush(5_000);
    const from = Date.now() - 10_000_000;
    fill(history, seriesBatch('p', 'a', 10_000, from, 1_000), seriesBatch('p', 'b', 10_000, from, 1_000));
    const wanted = { tags: ['a', 'b'], from: 'now-10d', to: '2100-01-01T00:00:00Z' };
    const left = await until(
      'the oldest are gone',
      async () => {
        const counts = (await history.query({ ...wanted, aggregate: 'count' })).map(({ points }) =>
          Number(points[0]?.value),
        );
        return counts.every((count) => count < 5_000) && counts;
      },
      { timeoutMs: 40_000 },
    );
    expect(Math.min(...left)).toBeGreaterThan(500);
    const last = await history.query({ ...wanted, aggregate: 'last' });
    expect(last.map(({ points }) => points[0]?.value)).toEqual([9_999, 9_999]);
  });
});

describe('the disk', () => {
  test('nothing is recorded below the reserve, and recording resumes by itself later and shows the gap', async () => {
    let reserve = Number.MAX_SAFE_INTEGER;
    await using history = await openHistorian({ diskReserveBytes: () => reserve, diskCheckMs: 5 });
    await history.historian.configure?.('p', resourcesOf('p', [{ path: 'a', history: { deadband: 5 } }]));
    await until('the disk counts as full', () =>
      history.lines.some((line) => line.startsWith('error: the history is not')),
    );
    history.tags.sample('a', 1, START);
    history.tags.sample('a', 2, START + 1_000);
    expect((await history.query({ tags: ['a'], ...RANGE }))[0]?.points).toEqual([]);
    reserve = 0;
    await until('it resumes', () =>
      history.lines.some((line) => line.startsWith('info: the history is recorded again')),
    );
    history.clock.ms += 5_000;
    const points = await until('the current value is recorded', async () => {
      const [series] = await history.query({ tags: ['a'], ...RANGE });
      return series?.points.length === 2 && series.points;
    });
    expect(points).toEqual([
      { time: at(0), value: null, quality: 'bad' },
      { time: at(5_000), value: 2, quality: 'good' },
    ]);
  });

  test('a project records no more than its share of the disk, and others continue', async () => {
    const room = new Map([['p', 0]]);
    const noted: string[] = [];
    const disk = {
      room: (project: string) => room.get(project) ?? Infinity,
      note: (project: string | null) => void noted.push(String(project)),
      charge: () => undefined,
    };
    await using history = await openHistorian({ disk });
    for (const project of ['p', 'q'])
      await history.historian.configure?.(project, resourcesOf(project, [{ path: 'a' }]));
    history.tags.sample('a', 1, START);
    const pointsOf = async (project: string) => {
      const [series] = await history.query({ tags: ['a'], ...RANGE }, { project });
      return series?.points.length;
    };
    expect([await pointsOf('p'), await pointsOf('q')]).toEqual([0, 1]);
    expect(new Set(noted)).toEqual(new Set(['q']));
    expect(history.lines.filter((line) => line.includes('can store no more data here'))).toHaveLength(1);
    room.clear();
    history.tags.sample('a', 2, START + 1_000);
    expect(await pointsOf('p')).toBeGreaterThan(0);
  });

  test('a file that cannot be written is reported, and waiting points are written once it can be', async () => {
    await using history = await openHistorian();
    await history.historian.configure?.('p', resourcesOf('p', [{ path: 'a' }]));
    await history.historian.flush(5_000);
    const other = openForWriting(history.file);
    other.exec('BEGIN EXCLUSIVE');
    history.tags.sample('a', 1, START);
    await until(
      'the trouble is reported',
      () => history.lines.some((line) => line.startsWith('error: the history cannot be written')),
      { timeoutMs: 20_000 },
    );
    other.exec('COMMIT');
    other.close();
    await until('it is written', async () => (await history.query({ tags: ['a'], ...RANGE }))[0]?.points.length === 1);
  });

  test('waiting points are limited: further ones are dropped, reported and shown as a gap', async () => {
    await using history = await openHistorian({ queuePointsMax: 10 });
    await history.historian.configure?.('p', resourcesOf('p', [{ path: 'a' }]));
    await history.historian.flush(5_000);
    for (let i = 0; i < 50; i++) history.tags.sample('a', i, START + i * 1_000);
    expect(history.lines).toContain('error: points of the history were dropped: the disk is too slow');
    await history.historian.flush(5_000);
    history.tags.sample('a', 99, START + 55_000);
    const [series] = await history.query({ tags: ['a'], ...RANGE });
    expect(series?.points.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, null, 99]);
  });
});

describe('a heavy query', () => {
  test('is stopped at its limit while others are served', async () => {
    await using history = await openHistorian({ queryMsMax: 1_000 });
    await history.historian.flush(5_000);
    const big = Array.from({ length: 20 }, (_, part) => seriesBatch('p', 'big', 20_000, START + part * 20_000, 1));
    fill(history, ...big, seriesBatch('p', 'small', 100, START, 1_000));
    const heavyTags = { tags: ['big'], from: at(0), to: at(HOUR_MS), aggregate: 'timeWeightedMean' as const };
    const heavy = Promise.allSettled(Array.from({ length: HEAVY }, () => history.query(heavyTags)));
    let over = false;
    void heavy.then(() => (over = true));
    const slowest = { ms: 0, answers: 0 };
    while (!over) {
      const from = performance.now();
      await history.query({ tags: ['small'], ...RANGE, aggregate: 'mean' });
      slowest.ms = Math.max(slowest.ms, performance.now() - from);
      slowest.answers += over ? 0 : 1;
    }
    const ends = await heavy;
    expect(ends.map((end) => (end.status === 'rejected' ? (end.reason as { code: string }).code : 'answered'))).toEqual(
      Array.from({ length: HEAVY }, () => 'history_timeout'),
    );
    expect(slowest.answers).toBeGreaterThan(0);
  });

  test('is cancelled with its run and releases its place', async () => {
    await using history = await openHistorian();
    await history.historian.flush(5_000);
    fill(history, seriesBatch('p', 'big', 100_000, START, 1), seriesBatch('p', 'small', 3, START, 1));
    const all = { from: at(0), to: at(HOUR_MS), aggregate: 'mean' as const };
    for (let round = 0; round < 3; round++) {
      const runs = Array.from({ length: 15 }, () => new AbortController());
      const queries = runs.map(({ signal }) => history.query({ tags: ['big'], ...all }, { signal }));
      const ends = Promise.allSettled(queries);
      // Answered interleaved with the others, which are running by then.
      await history.query({ tags: ['small'], ...all });
      for (const run of runs) run.abort();
      for (const end of await within(5_000, 'the queries end', ends))
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'call_cancelled' } });
    }
  });

  test('is refused when its project already has the maximum, and another project still has room', async () => {
    await using history = await openHistorian();
    await history.historian.flush(5_000);
    fill(history, seriesBatch('p', 'big', 20_000, START, 1), seriesBatch('q', 'other', 3, START, 1));
    const wanted = { from: at(0), to: at(HOUR_MS), aggregate: 'mean' } as const;
    const many = Promise.allSettled(Array.from({ length: 20 }, () => history.query({ tags: ['big'], ...wanted })));
    const other = await history.query({ tags: ['other'], ...wanted }, { project: 'q' });
    expect(other[0]?.points[0]?.value).toBe(1);
    const refused = (await many).filter((end) => end.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(Array(4).fill('history_busy'));
  });
});

describe('refuses', () => {
  const cases = [
    ['a range without length', { from: at(5), to: at(5) }, 'history_range'],
    ['a range that ends before it begins', { from: 'now', to: 'now-1h' }, 'history_range'],
    ['a day that does not exist', { from: '2026-13-40T00:00:00Z' }, 'history_range'],
    ['the 30th of February', { from: '2026-02-30T00:00:00Z' }, 'history_range'],
    ['an end on the 31st of April', { ...RANGE, to: '2999-04-31T00:00:00Z' }, 'history_range'],
    ['a distance that leads before 1970', { from: 'now-999999999d' }, 'history_range'],
    ['an interval under a millisecond', { ...RANGE, aggregate: 'mean', interval: 0.0001 }, 'history_range'],
    ['more buckets than the limit', { ...RANGE, aggregate: 'mean', interval: 1, limit: 59 }, 'history_too_many_points'],
    [
      'more points than an answer holds',
      { from: 'now-30d', aggregate: 'mean', interval: 30, limit: 100_000, tags: ['a', 'b', 'c'] },
      'history_too_many_points',
    ],
    ['a mean of texts', { ...RANGE, aggregate: 'mean', tags: ['t'] }, 'history_not_numeric'],
    ['more tags than it may have', { ...RANGE, tags: ['many/*', 'a'] }, 'history_too_many_tags'],
  ] as const;

  test.each(cases)('%s', async (_name, args, code) => {
    await using history = await openHistorian();
    const many = Array.from({ length: 100 }, (_, index) => ({ path: `many/t${index}` }));
    const tags = [...many, { path: 'a' }, { path: 'b' }, { path: 'c' }, { path: 't', type: 'text' as const }];
    await history.historian.configure?.('p', resourcesOf('p', tags));
    await expect(history.query({ tags: ['a'], ...args } as never)).rejects.toMatchObject({ code });
  });

  test('a result of too many raw points although each tag is within its limit', async () => {
    await using history = await openHistorian();
    await history.historian.flush(5_000);
    const paths = ['a', 'b', 'c'];
    fill(history, ...paths.map((path) => seriesBatch('p', path, 70_000, START, 1)));
    const wanted = { tags: paths, from: at(0), to: at(HOUR_MS), limit: 100_000 };
    await expect(history.query(wanted)).rejects.toMatchObject({ code: 'history_too_many_points' });
    const series = await history.query({ ...wanted, limit: 60_000 });
    expect(series.map(({ points, truncated }) => [points.length, truncated])).toEqual(paths.map(() => [60_000, true]));
  });

  test('a damaged file and leaves it unchanged', async () => {
    await using other = await openHistorian();
    const { writeFile, readFile } = await import('node:fs/promises');
    const file = `${other.file}.damaged`;
    await writeFile(file, 'no database at all '.repeat(500));
    await using history = await openHistorian({ file });
    await expect(history.query({ tags: ['a'], ...RANGE })).rejects.toMatchObject({ code: 'history_unavailable' });
    expect(history.lines.some((line) => line.startsWith('error: the history cannot be'))).toBe(true);
    expect((await readFile(file, 'utf8')).startsWith('no database')).toBe(true);
  });
});
