import fs from 'node:fs';
import { join } from 'node:path';
import {
  eachLine,
  isRow,
  lastHash,
  lastSeal,
  LINE_FEED,
  parseHeader,
  rowClassAt,
  segmentName,
  ZERO_HASH,
} from './format.ts';
import type { SegmentTotals, UncleanStop } from './format.ts';

/** The state of a chain on disk when its writer opens it. */
export interface Recovered {
  /** The segment to continue with, truncated to its last seal; null if a new one must be created. */
  segment: number;
  reuse: boolean;
  /** The content of the newest segment does not match its seals: nothing is appended to it. */
  unverified: number | null;
  totals: SegmentTotals;
  seq: number;
  hash: string;
  time: string;
  /** The ring sequence in the seal of the last batch, if it has one. */
  ring: number | null;
  unclean: UncleanStop | null;
}

const SEGMENT_FILE = /^(\d{8})(?:\.part)?\.jsonl$/;

/** Numbers of the segments of a chain, ascending: whole, pruned, and whole ones with a part file left by a crash. */
export function segmentNumbers(folder: string): { whole: number[]; pruned: number[]; both: number[] } {
  const whole = new Set<number>();
  const pruned = new Set<number>();
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const number = Number(SEGMENT_FILE.exec(name)?.[1] ?? 0);
    if (number > 0) (name.includes('.part.') ? pruned : whole).add(number);
  }
  const ascending = (set: Set<number>) => [...set].toSorted((a, b) => a - b);
  const { alone = [], both = [] } = Object.groupBy(ascending(pruned), (number) =>
    whole.has(number) ? 'both' : 'alone',
  );
  return { whole: ascending(whole), pruned: alone, both };
}

/**
 * Finds the last seal and truncates everything after it: an unacknowledged batch torn by a crash, a power cut or a full
 * disk. A newest segment without any seal is removed. Sealed batches are never removed, valid or not, unless a zero
 * byte shows that they were torn (format.ts): a modified batch, or one damaged by the disk, remains for `verify`, and
 * the chain continues in the next segment. Only the newest segment is read, at most 16 MiB and a batch. `bytesDropped`:
 * by earlier attempts.
 */
export function recoverChain(folder: string, now: string, bytesDropped = 0): Recovered {
  const { whole, pruned } = segmentNumbers(folder);
  for (const segment of whole.toReversed()) {
    const path = join(folder, segmentName(segment));
    const bytes = fs.readFileSync(path);
    const tail = lastSeal(bytes);
    if (tail === null) {
      bytesDropped += bytes.length;
      fs.unlinkSync(path);
      continue;
    }
    bytesDropped += bytes.length - tail.end;
    if (bytes.length > tail.end) cut(path, tail.end);
    const clean = stoppedCleanly(bytes, tail.start) && bytesDropped === 0;
    const unclean = clean ? null : { from: tail.seal.time, to: now, bytesDropped };
    const { seq, hash, time, ring } = tail.seal;
    const reuse = lastHash(bytes.subarray(0, tail.end)) === hash;
    const unverified = reuse ? null : segment;
    const totals = totalsOf(bytes, tail.end, time);
    return { segment, reuse, unverified, totals, seq, hash, time, ring, unclean };
  }
  const unclean = bytesDropped === 0 ? null : { from: now, to: now, bytesDropped };
  const totals = { bytes: 0, keptBytes: 0, from: now, to: now };
  const nothing = { reuse: false, unverified: null, seq: 0, hash: ZERO_HASH, time: now, ring: null };
  return { segment: pruned.at(-1) ?? 0, totals, unclean, ...nothing };
}

/** Synced before anything is appended: otherwise a second power cut could mix old and new data. */
function cut(path: string, length: number): void {
  const fd = fs.openSync(path, 'r+');
  try {
    fs.ftruncateSync(fd, length);
    fs.fdatasyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

const STOP_START = '{"stop":';

/** True if the line before the last seal line is the closing line. */
function stoppedCleanly(bytes: Buffer, sealAt: number): boolean {
  if (sealAt < 2) return false;
  const lineStart = bytes.lastIndexOf(LINE_FEED, sealAt - 2) + 1;
  return bytes.toString('latin1', lineStart, lineStart + STOP_START.length) === STOP_START;
}

function totalsOf(bytes: Buffer, end: number, to: string): SegmentTotals {
  let keptBytes = 0;
  eachLine(bytes, 0, end, (from, until) => {
    if (isRow(bytes, from) && rowClassAt(bytes, from) === 'kept') keptBytes += until + 1 - from;
  });
  return { bytes: end, keptBytes, from: parseHeader(bytes)?.time ?? to, to };
}
