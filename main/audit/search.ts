import fs from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { AuditRow, ChainName } from '#common/model/audit.ts';
import { chainFolder, parseLine, partName, segmentName } from '#common/node/journal/format.ts';
import type { AuditFilter, AuditPage } from '../contracts.ts';
import { ALWAYS, planOf } from './search-plan.ts';
import type { Condition } from './search-terms.ts';
import { cursorOf, type Place, placeOf, QUERY_MS_MAX, rowsAfter, sliceAfter } from './slices.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;

interface Found {
  id: number;
  time: number;
  chain: ChainName;
  segment: number;
  offset: number;
  length: number;
  part: number;
}

/**
 * One page, newest first. The rows themselves are read from the segments: the index contains only their location. A
 * page whose time is used up has fewer rows than requested, or none, and a `next`.
 */
export function search(database: DatabaseSync, folder: string, filter: AuditFilter, msMax = QUERY_MS_MAX): AuditPage {
  const limit = Math.min(LIMIT_MAX, Math.max(1, filter.limit ?? LIMIT_DEFAULT));
  const plan = planOf(filter);
  const everyRow = plan.rest.sql === ALWAYS;
  const found: Found[] = [];
  const newest = newestTime(database);
  const until = performance.now() + msMax;
  for (let place = placeOf(filter.cursor); ;) {
    const { rows, end } = everyRow ? { rows: rowsAfter(plan, place), end: null } : sliceAfter(database, plan, place);
    found.push(...matching(database, rows, plan.rest, limit + 1 - found.length));
    const last = found.length > limit ? found[limit - 1] : undefined;
    if (last !== undefined) return { ...pageOf(folder, found.slice(0, limit), last), newest };
    if (end === null || performance.now() >= until) return { ...pageOf(folder, found, end), newest };
    place = end;
  }
}

function matching(database: DatabaseSync, rows: Condition, rest: Condition, limit: number): Found[] {
  const sql =
    'SELECT rows.id, time, rows.chain, rows.segment, rows.offset, length, part ' +
    'FROM rows CROSS JOIN kinds ON kinds.id = rows.kind CROSS JOIN segments USING (chain, segment) ' +
    `WHERE ${rows.sql} AND ${rest.sql} ORDER BY time DESC, rows.id DESC LIMIT ?`;
  return database.prepare(sql).all(...rows.values, ...rest.values, limit) as unknown as Found[];
}

function newestTime(database: DatabaseSync): string | null {
  const time = database.prepare('SELECT max(time) AS time FROM rows').get()?.['time'];
  return typeof time === 'number' ? new Date(time).toISOString() : null;
}

function pageOf(folder: string, found: readonly Found[], end: Place | null): Omit<AuditPage, 'newest'> {
  return {
    items: readRows(folder, found),
    next: end && cursorOf(end),
    searchedTo: end && new Date(end.time).toISOString(),
  };
}

/** A row whose segment was pruned since the lookup is left out. */
function readRows(folder: string, found: readonly Found[]): AuditRow[] {
  const files = new Map<string, number | null>();
  const rows: AuditRow[] = [];
  try {
    for (const { chain, segment, part, offset, length } of found) {
      const path = join(chainFolder(folder, chain), part ? partName(segment) : segmentName(segment));
      const fd = files.get(path) ?? openIfThere(path);
      files.set(path, fd);
      if (fd === null) continue;
      const bytes = Buffer.allocUnsafe(length);
      const row = fs.readSync(fd, bytes, 0, length, offset) === length ? parseLine(bytes, 0, length) : null;
      if (row !== null) rows.push(row as unknown as AuditRow);
    }
  } finally {
    for (const fd of files.values()) if (fd !== null) fs.closeSync(fd);
  }
  return rows;
}

function openIfThere(path: string): number | null {
  try {
    return fs.openSync(path, 'r');
  } catch {
    return null;
  }
}
