import fs from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { AuditRow, ChainName } from '#common/model/audit.ts';
import { chainFolder, parseLine, partName, segmentName } from '#common/node/journal/format.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditFilter } from '../contracts.ts';

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

/** One page, newest first. The rows themselves are read from the segments: the index only says where they are. */
export function search(
  database: DatabaseSync,
  folder: string,
  filter: AuditFilter,
): { items: AuditRow[]; next: string | null } {
  const limit = Math.min(LIMIT_MAX, Math.max(1, filter.limit ?? LIMIT_DEFAULT));
  const { where, values } = conditions(filter);
  const sql =
    'SELECT id, time, rows.chain, rows.segment, rows.offset, length, part FROM rows JOIN segments USING (chain, segment) ' +
    `${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} ORDER BY time DESC, id DESC LIMIT ?`;
  const found = database.prepare(sql).all(...values, limit + 1) as unknown as Found[];
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const next = found.length > limit && last ? cursorOf(last) : null;
  return { items: readRows(folder, page), next };
}

/** The refusal of a run with a key is in its outcome, so a search for refusals includes those too. */
const REFUSED = "(type = 'refusal' OR (type = 'outcome' AND code IS NOT NULL AND code <> 'preflight'))";

function conditions(filter: AuditFilter): { where: string[]; values: (string | number)[] } {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...of: (string | number)[]) => {
    where.push(condition);
    values.push(...of);
  };
  const { from, to, project, keyId, route, code, requestId, type, cursor } = filter;
  if (from !== undefined) add('time >= ?', instant('from', from));
  if (to !== undefined) add('time <= ?', instant('to', to));
  if (project !== undefined) add('project = ?', project);
  if (keyId !== undefined) add('key = ?', keyId);
  if (route !== undefined) add('route = ?', route);
  if (code !== undefined) add('code = ?', code);
  if (type === 'refusal') add(REFUSED);
  else if (type !== undefined) add('type = ?', type);
  if (requestId !== undefined) add('(request = ? OR client_request = ?)', requestId, requestId);
  if (cursor !== undefined) add('(time, id) < (?, ?)', ...placeOf(cursor));
  return { where, values };
}

function instant(field: string, text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw invalid(field, 'expected a time such as 2026-03-01T06:00:00Z');
}

function cursorOf({ time, id }: Found): string {
  return Buffer.from(`${time}.${id}`).toString('base64url');
}

function placeOf(cursor: string): [number, number] {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null) throw invalid('cursor', 'expected the "next" value of a page before');
  return [Number(match[1]), Number(match[2])];
}

function invalid(path: string, message: string): SluiceError {
  return new SluiceError('invalid', `${path}: ${message}`, { errors: [{ path, message }] });
}

/** A row whose segment was pruned since the look-up is left out. */
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
