import fs from 'node:fs';
import { join } from 'node:path';
import type { AuditRow, ChainName } from '#common/model/audit.ts';
import { chainFolder, eachLine, isRow, lastSeal, parseLine, segmentName } from '#common/node/journal/format.ts';
import { segmentNumbers } from '#common/node/journal/recover.ts';
import { rowText, timeText } from './rows.ts';

/** Longer than any call that writes. */
const LOOKED_AT_MS = 310_000;
/** 256 MiB. */
const SEGMENTS_MAX = 16;
/** The start of a row of a type that begins with `w`: `{"time":"2026-01-01T00:00:00.000Z","type":"w`. */
const TYPE_AT = '{"time":"2026-01-01T00:00:00.000Z","type":"'.length;
const W = 'w'.charCodeAt(0);
const DETAIL = 'The gateway ended before the result was known.';

/**
 * Rows for the writes that an earlier gateway began and did not finish: their result is unknown. Reads the segments
 * from the newest back over LOOKED_AT_MS, before the chain is opened. Throws if a file cannot be read.
 */
export function unfinishedWrites(folder: string, chain: ChainName): string[] {
  const path = chainFolder(folder, chain);
  const begun = new Map<string, AuditRow>();
  const finished = new Set<string>();
  let newest: number | null = null;
  for (const segment of segmentNumbers(path).whole.toReversed().slice(0, SEGMENTS_MAX)) {
    const bytes = fs.readFileSync(join(path, segmentName(segment)));
    const seal = lastSeal(bytes);
    if (seal === null) continue;
    eachLine(bytes, 0, seal.end, (from, to) => {
      if (bytes[from + TYPE_AT] !== W || !isRow(bytes, from)) return;
      const row = parseLine(bytes, from, to) as unknown as AuditRow | null;
      if (row?.write === undefined) return;
      // Only what is still open is kept: minutes of writes can have a million rows.
      if (row.type !== 'written') {
        if (!finished.delete(row.write)) begun.set(row.write, row);
      } else if (!begun.delete(row.write)) finished.add(row.write);
    });
    newest ??= Date.parse(seal.seal.time);
    if (Date.parse(firstTime(bytes)) < newest - LOOKED_AT_MS) break;
  }
  return [...begun.values()].map(unknownRow);
}

function firstTime(bytes: Buffer): string {
  return /"time":"([^"]{24})"/.exec(bytes.toString('latin1', 0, 512))?.[1] ?? '';
}

function unknownRow({ time: _time, type: _type, ...row }: AuditRow): string {
  return rowText({ time: timeText(), type: 'written', ...row, result: 'unknown', detail: DETAIL });
}
