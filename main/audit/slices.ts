import type { DatabaseSync } from 'node:sqlite';
import { invalid, type SearchPlan } from './search-plan.ts';
import type { Condition } from './search-terms.ts';

/**
 * Reads the rows of the index from the newest to the oldest, in slices of about the same cost, however few rows match.
 * The time is checked between two slices: a query that has used up its time ends with a position from which the next
 * one continues. The thread of the index therefore never works longer than `QUERY_MS_MAX` and a slice on one query.
 */
export const SLICE_ROWS = 10_000;
export const QUERY_MS_MAX = 400;

/** The position of a row in the order of the index. */
export interface Place {
  time: number;
  id: number;
}

interface Slice {
  /** Its rows, as an SQL condition. */
  rows: Condition;
  /** Its oldest row; null: there are no older ones. */
  end: Place | null;
}

/**
 * `from`: after this row; null: from the newest. Each end is a single comparison of positions: with an additional one
 * of times, SQLite scans from the newest row to the slice each time.
 */
export function sliceAfter(database: DatabaseSync, plan: SearchPlan, from: Place | null): Slice {
  const rows = rowsAfter(plan, from);
  const last = database
    .prepare(`SELECT time, id FROM rows WHERE ${rows.sql} ORDER BY time DESC, id DESC LIMIT 1 OFFSET ?`)
    .get(...rows.values, SLICE_ROWS - 1) as Place | undefined;
  if (last === undefined) return { rows, end: null };
  const end = { time: last.time, id: last.id };
  return { rows: bounded(upTo(plan, from), '>=', end), end };
}

/** All rows after `from`, for a query that every row matches: its own limit ends it. */
export function rowsAfter(plan: SearchPlan, from: Place | null): Condition {
  return bounded(upTo(plan, from), '>=', { time: plan.from ?? -TIME_MAX, id: 0 });
}

function upTo({ base, to }: SearchPlan, from: Place | null): Condition {
  return bounded(base, '<', from ?? { time: (to ?? TIME_MAX) + 1, id: 0 });
}

/** The range of a JavaScript date. */
const TIME_MAX = 8.64e15;

function bounded({ sql, values }: Condition, comparison: '<' | '>=', { time, id }: Place): Condition {
  return { sql: `${sql} AND (rows.time, rows.id) ${comparison} (?, ?)`, values: [...values, time, id] };
}

export function cursorOf({ time, id }: Place): string {
  return Buffer.from(`${time}.${id}`).toString('base64url');
}

export function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) throw invalid('cursor', 'expected the "next" value of a page before');
  return { time: Number(match[1]), id: Number(match[2]) };
}
