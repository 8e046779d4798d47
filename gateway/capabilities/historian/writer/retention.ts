import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { PRUNE_ROWS } from '../limits.ts';
import { GONE, type HistoryStore } from './history-store.ts';

export interface RetentionOptions {
  readonly retentionDays: number;
  readonly bytesMax: number;
}

const DAY_MS = 86_400_000;
/** Above the size limit, this share of the recorded time range is removed at once. */
const COVERED_PARTS = 32;
const STEP_MS_MIN = 60_000;
const SERIES_PER_STEP = 100;

const DELETE_SLICE = `DELETE FROM points WHERE series = ?1 AND time < ?2 AND time <= (
  SELECT max(time) FROM (SELECT time FROM points WHERE series = ?1 AND time < ?2 ORDER BY time LIMIT ${PRUNE_ROWS}))`;
const OLDEST = 'SELECT min((SELECT min(time) FROM points WHERE series = series.id)) AS oldest FROM series';

/**
 * One pass of retention in small steps, each a commit of at most PRUNE_ROWS rows: points of deleted projects, points
 * over their maximum age, then the oldest points until the file is within its size limit. The file does not shrink; its
 * free pages are reused.
 */
export function* pruneSteps(store: HistoryStore, options: RetentionOptions, now: number): Generator<void> {
  const { db } = store;
  const slice = db.prepare(DELETE_SLICE);
  for (const id of seriesIds(db, 'project = ?', GONE)) {
    yield* deleteBefore(slice, id, Number.MAX_SAFE_INTEGER);
    store.removeSeries(id);
  }
  const horizon = now - options.retentionDays * DAY_MS;
  yield* deleteEverywhere(store, slice, horizon);
  yield* shrink(store, slice, options.bytesMax, now);
}

function* shrink(store: HistoryStore, slice: StatementSync, bytesMax: number, now: number): Generator<void> {
  while (usedBytes(store.db) > bytesMax) {
    const oldest = store.db.prepare(OLDEST).get()?.['oldest'];
    if (typeof oldest !== 'number' || oldest >= now) return;
    yield* deleteEverywhere(store, slice, Math.ceil(oldest + Math.max(STEP_MS_MIN, (now - oldest) / COVERED_PARTS)));
  }
}

function* deleteEverywhere(store: HistoryStore, slice: StatementSync, before: number): Generator<void> {
  const first = store.db.prepare('SELECT min(time) AS time FROM points WHERE series = ?');
  const firstOf = (id: number) => first.get(id)?.['time'] ?? null;
  for (const [at, id] of seriesIds(store.db, 'project <> ?', GONE).entries()) {
    if (at % SERIES_PER_STEP === 0) yield;
    const oldest = firstOf(id);
    if (typeof oldest === 'number' && oldest < before) yield* deleteBefore(slice, id, before);
    if (firstOf(id) === null) store.removeSeries(id);
  }
}

function* deleteBefore(slice: StatementSync, series: number, before: number): Generator<void> {
  while (Number(slice.run(series, before).changes) > 0) yield;
}

function seriesIds(db: DatabaseSync, where: string, project: string): number[] {
  const rows = db.prepare(`SELECT id FROM series WHERE ${where}`).all(project);
  return rows.map((row) => Number(row['id']));
}

/** Bytes of the pages in use. */
export function usedBytes(db: DatabaseSync): number {
  const pragma = (name: string) => Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
}
