import fs from 'node:fs';
import { join } from 'node:path';
import type { AuditRow, ChainHead } from '#common/model/audit.ts';
import {
  eachLine,
  isRow,
  isSeal,
  lastSeal,
  parseHeader,
  parseLine,
  parseSeal,
  partName,
  segmentName,
  ZERO_HASH,
} from './format.ts';
import { segmentNumbers } from './recover.ts';

/** The end of a segment's last sealed batch; 0 if it has none. */
export function sealedEnd(bytes: Buffer): number {
  return lastSeal(bytes)?.end ?? 0;
}

/** All rows in the folder of a chain, oldest segment first; `wanted` filters the raw line before it is parsed. */
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
 * Whether the chain still contains the batch of a head, with its hash. `pruned` if the batch is older than the oldest
 * whole segment. Reads only the segment that should contain it.
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

export interface ChainTail {
  /** The newest whole segment that has a seal; 0: none. */
  segment: number;
  /** Its last batch; without one, number 0 and 64 zeros. */
  seq: number;
  hash: string;
  time: string;
  /** Rows of batches after `after`. */
  rows: number;
  /** Bytes after the last seal, including newer files without a seal. */
  unsealedBytes: number;
}

/** The largest number of segments that are read for their rows; an unanchored tail covers 10 s. */
const TAIL_SEGMENTS_MAX = 64;

/** The end of a chain that no writer has open, and the number of rows in its batches after `after`. */
export async function chainTail(folder: string, after: number): Promise<ChainTail> {
  const tail: ChainTail = { segment: 0, seq: 0, hash: ZERO_HASH, time: '', rows: 0, unsealedBytes: 0 };
  for (const segment of segmentNumbers(folder).whole.toReversed().slice(0, TAIL_SEGMENTS_MAX)) {
    const bytes = await fs.promises.readFile(join(folder, segmentName(segment)));
    const last = lastSeal(bytes);
    if (tail.segment === 0) tail.unsealedBytes += bytes.length - (last?.end ?? 0);
    if (last === null) continue;
    if (tail.segment === 0) {
      const { seq, hash, time } = last.seal;
      Object.assign(tail, { segment, seq, hash, time });
    }
    tail.rows += rowsAfter(bytes.subarray(0, last.end), after);
    if ((parseHeader(bytes)?.batch ?? 0) <= after + 1) break;
  }
  return tail;
}

function rowsAfter(bytes: Buffer, after: number): number {
  let rows = 0;
  let inBatch = 0;
  eachLine(bytes, 0, bytes.length, (from, to) => {
    if (isRow(bytes, from)) inBatch += 1;
    const seal = isSeal(bytes, from) ? parseSeal(bytes.toString('latin1', from, to)) : null;
    if (seal === null) return;
    if (seal.seq > after) rows += inBatch;
    inBatch = 0;
  });
  return rows;
}

/** The first 4 KiB of a file; empty if it cannot be opened. */
export async function firstBytes(path: string): Promise<Buffer> {
  const file = await fs.promises.open(path, 'r').catch(() => null);
  if (file === null) return Buffer.alloc(0);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
