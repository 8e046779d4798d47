import { mkdtemp, rm, stat } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '#common/node/log.ts';
import { createHistorian } from '../../gateway/capabilities/historian/historian.ts';
import { ENDLESS_DISK } from '../../gateway/capabilities/disk-room.testing.ts';
import { openForWriting } from '../../gateway/capabilities/historian/schema.ts';
import { context } from '../../gateway/capabilities/historian/harness.ts';
import { HistoryStore } from '../../gateway/capabilities/historian/writer/history-store.ts';
import { NO_TAGS } from '../../gateway/capabilities/tags/no-tags.ts';

/**
 * Queries of the historian on a file of 10 million points: 200 tags, one point a second each, by the code that writes
 * them in the gateway. Queries use the complete path: arguments, reading thread, result. Prints the time to build, the
 * file's size, p50 and p95 of an hour's aggregate against the goal of GOAL_MS, and its CPU time, which does not depend
 * on the load of the machine; removes its files. Run: `node test/bench/history.ts [points] [queries]`.
 */
const GOAL_MS = 50;
const TAGS = 200;
const POINTS_MAX = 20_000_000;
const QUERIES_MAX = 1_000;
const WARM_UP = 5;
const ROWS_PER_COMMIT = 100_000;
const HOUR_MS = 3_600_000;
const FROM = Date.now() - 24 * HOUR_MS;

const points = Math.min(POINTS_MAX, Number(process.argv[2] ?? 10_000_000));
const queries = Math.min(QUERIES_MAX, Number(process.argv[3] ?? 100));
const perTag = Math.floor(points / TAGS);

const folder = await mkdtemp(join(tmpdir(), 'sluice-history-bench-'));
try {
  const file = join(folder, 'history.sqlite');
  build(file);
  console.log(`file: ${Math.round((await stat(file)).size / 1024 ** 2)} MiB`);
  await measure(file);
  console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
} finally {
  await rm(folder, { recursive: true });
}

function path(tag: number): string {
  return `line/tag${tag}`;
}

/** Tag after tag: the fastest order for filling the tree. */
function build(file: string): void {
  const started = performance.now();
  const store = new HistoryStore(openForWriting(file));
  for (let tag = 0; tag < TAGS; tag++) {
    for (let first = 0; first < perTag; first += ROWS_PER_COMMIT)
      store.append(batch(tag, first, Math.min(ROWS_PER_COMMIT, perTag - first)));
  }
  store.close();
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `built ${perTag * TAGS} points in ${seconds.toFixed(1)} s, ${Math.round((perTag * TAGS) / seconds)} points/s`,
  );
}

function batch(tag: number, first: number, count: number) {
  const places = Array.from({ length: count }, (_, index) => first + index);
  return {
    names: [{ project: 'p', path: path(tag), unit: 'rpm' }],
    series: places.map(() => 0),
    times: places.map((place) => FROM + place * 1_000),
    forms: places.map((place) => (place % 1_000 === 999 ? 2 : 4)),
    values: places.map((place) => (place % 1_000 === 999 ? null : 100 + Math.sin(place / 60) * 10 + Math.random())),
  };
}

async function measure(file: string): Promise<void> {
  const historian = createHistorian({
    file,
    tags: NO_TAGS,
    log: createLogger('bench'),
    disk: ENDLESS_DISK,
    diskReserveBytes: () => 0,
  });
  await historian.flush(5_000);
  for (const aggregate of ['mean', 'timeWeightedMean'] as const) {
    for (const tags of [1, 10]) {
      const before = process.cpuUsage();
      const times = await timed(aggregate, tags);
      const { user, system } = process.cpuUsage(before);
      report(aggregate, tags, times, (user + system) / 1_000 / (queries + WARM_UP));
    }
  }
  await historian.close();

  async function timed(aggregate: 'mean' | 'timeWeightedMean', tags: number): Promise<number[]> {
    const times: number[] = [];
    for (let n = -WARM_UP; n < queries; n++) {
      const from = FROM + Math.floor(Math.random() * Math.max(1, perTag * 1_000 - HOUR_MS));
      const first = Math.floor(Math.random() * (TAGS - tags));
      const wanted = Array.from({ length: tags }, (_, index) => path(first + index));
      const started = performance.now();
      const range = { from: new Date(from).toISOString(), to: new Date(from + HOUR_MS).toISOString() };
      await historian.calls['historian.query'](
        { tags: wanted, ...range, aggregate, interval: 0, limit: 10_000 },
        context('p'),
        new AbortController().signal,
      );
      if (n >= 0) times.push(performance.now() - started);
    }
    return times.toSorted((a, b) => a - b);
  }
}

function report(aggregate: string, tags: number, times: readonly number[], cpuMs: number): void {
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  const figures = [
    `p50 ${at(0.5).toFixed(1)} ms`,
    `p95 ${at(0.95).toFixed(1)} ms`,
    `${cpuMs.toFixed(1)} ms of CPU each`,
  ];
  const verdict = `under ${GOAL_MS} ms: ${at(0.95) < GOAL_MS ? 'met' : 'NOT met'}`;
  console.log(`an hour's ${aggregate}, ${tags} tag${tags === 1 ? '' : 's'}: ${figures.join(', ')}; ${verdict}`);
}
