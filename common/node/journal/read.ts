import fs from 'node:fs';
import { join } from 'node:path';
import type { AuditRow, ChainHead } from '#common/model/audit.ts';
import {
  eachLine,
  isRow,
  lastSeal,
  parseHeader,
  parseLine,
  parseSeal,
  partName,
  segmentName,
  ZERO_HASH,
} from './format.ts';
import { segmentNumbers } from './recover.ts';

/** The end of a segment's last sealed batch; 0 when there is none. */
export function sealedEnd(bytes: Buffer): number {
  return lastSeal(bytes)?.end ?? 0;
}

/** All rows of a chain's folder, oldest segment first; `wanted` looks at the raw line before it is parsed. */
export async function* chainRows(folder: string, wanted: (line: string) => boolean): AsyncGenerator<AuditRow> {
  const { whole, pruned } = segmentNumbers(folder);
  const files = [...whole.map((n) => [n, segmentName(n)] as const), ...pruned.map((n) => [n, partName(n)] as const)];
  for (const [, name] of files.toSorted(([a], [b]) => a - b)) {
    const bytes = await fs.promises.readFile(join(folder, name)).catch(() => null);
    if (bytes === null) continue;
    const rows: AuditRow[] = [];
    eachLine(bytes, 0, name.includes('.part.') ? bytes.length : sealedEnd(bytes), (from, to) => {
      if (!isRow(bytes, from) || !wanted(bytes.toString('utf8', from, to))) return;
      const row = parseLine(bytes, from, to);
      if (row !== null) rows.push(row as unknown as AuditRow);
    });
    yield* rows;
  }
}

/**
 * Whether the chain still holds the batch of a head, with its hash. `pruned` when the batch is older than the oldest
 * whole segment. Reads the one segment that should hold it.
 */
export async function findHead(folder: string, head: ChainHead): Promise<'there' | 'pruned' | 'missing' | 'different'> {
  if (head.seq === 0) return head.hash === ZERO_HASH ? 'there' : 'different';
  const { whole, pruned } = segmentNumbers(folder);
  for (const segment of whole.toReversed()) {
    const bytes = await fs.promises.readFile(join(folder, segmentName(segment))).catch(() => null);
    const header = bytes && parseHeader(bytes);
    if (!bytes || !header || header.batch > head.seq) continue;
    const at = bytes.indexOf(`\n{"seal":${head.seq},`) + 1;
    const end = bytes.indexOf('\n', at);
    const seal = at === 0 || end < 0 ? null : parseSeal(bytes.toString('latin1', at, end));
    if (seal === null) return 'missing';
    return seal.hash === head.hash ? 'there' : 'different';
  }
  const first = whole[0];
  return pruned.length > 0 || (first !== undefined && first > 1) ? 'pruned' : 'missing';
}
