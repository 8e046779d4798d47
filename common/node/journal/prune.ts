import fs from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AuditRow, ChainName } from '#common/model/audit.ts';
import { eachLine, isRow, parseHeader, partName, rowClassAt, segmentName } from './format.ts';
import type { RowClass } from './format.ts';
import { syncFolder } from './file-ops.ts';
import { PartFile } from './part-file.ts';
import { segmentNumbers } from './recover.ts';

/**
 * Pruning with two quotas that cannot evict each other: traffic (uses, outcomes, tests) by days and bytes, kept rows
 * (administrative acts, refusals, prunings) by bytes alone. Both drop their oldest rows first.
 *
 * A whole segment that loses one class is replaced by a part file with the other class's rows; a part that loses its
 * class is removed. Each step is a `prune` row in the chain itself, with the segment's batches, the hash of its last
 * batch and the SHA-256 of the part file: so the chain still verifies from its oldest whole segment, and a part file
 * cannot be edited unnoticed. Order: part file synced, prune row synced, old file removed; a crash between leaves the
 * whole segment, which is what readers prefer. The live segment and the one before it are never pruned.
 */
export interface PruneOptions {
  folder: string;
  chain: ChainName;
  days: number;
  /** Bytes of traffic rows. */
  maxBytes: number;
  /** Bytes of kept rows. */
  keptBytesMax: number;
}

/** `detail` of a prune row, as JSON. */
export interface PruneDetail {
  segment: number;
  dropped: RowClass;
  /** SHA-256 (hex) of the part file that is left, or null. */
  part: string | null;
  /** For a segment that was whole: its batches and the hash of the last one. */
  batches: [number, number] | null;
  hash: string | null;
}

/** Counts for a kept part file at least, so that their number is bounded too. */
const KEPT_FILE_BYTES_MIN = 64 * 1024;
const STEPS_MAX = 64;
const DAY_MS = 24 * 60 * 60 * 1000;

interface SegmentInfo {
  segment: number;
  whole: boolean;
  bytes: Record<RowClass, number>;
  to: string;
}

/** What closed segments hold, by file name: they do not change. */
export type SegmentCache = Map<string, SegmentInfo>;

/** `record` appends a row to the chain and makes it durable, or throws. Resolves with the number of steps done. */
export async function pruneChain(
  options: PruneOptions,
  liveSegment: number,
  record: (line: string) => void,
  cache: SegmentCache = new Map(),
): Promise<number> {
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const infos = await segmentInfos(options.folder, cache);
    const step = nextStep(options, infos, liveSegment - 2);
    if (step === null) return steps;
    await drop(options, step.info, step.dropped, record);
  }
  return STEPS_MAX;
}

function nextStep(
  options: PruneOptions,
  infos: SegmentInfo[],
  newest: number,
): { info: SegmentInfo; dropped: RowClass } | null {
  const oldest = (dropped: RowClass) => infos.find((info) => info.segment <= newest && info.bytes[dropped] > 0);
  const sum = (rows: RowClass) => infos.reduce((total, info) => total + info.bytes[rows], 0);
  const traffic = oldest('traffic');
  const tooOld = new Date(Date.now() - options.days * DAY_MS).toISOString();
  if (traffic && (traffic.to < tooOld || sum('traffic') > options.maxBytes))
    return { info: traffic, dropped: 'traffic' };
  const kept = oldest('kept');
  if (kept && sum('kept') > options.keptBytesMax) return { info: kept, dropped: 'kept' };
  return null;
}

async function drop(
  options: PruneOptions,
  info: SegmentInfo,
  dropped: RowClass,
  record: (line: string) => void,
): Promise<void> {
  const { folder, chain } = options;
  const source = join(folder, info.whole ? segmentName(info.segment) : partName(info.segment));
  const left: RowClass = dropped === 'traffic' ? 'kept' : 'traffic';
  const target = join(folder, partName(info.segment));
  const written = await rewrite(source, `${target}.new`, info, left);
  if (written.sha256 !== null) {
    await fs.promises.rename(`${target}.new`, target);
    syncFolder(folder);
  }
  const detail: PruneDetail = {
    segment: info.segment,
    dropped,
    part: written.sha256,
    batches: written.batches,
    hash: written.hash,
  };
  const row: AuditRow = {
    time: new Date().toISOString(),
    type: 'prune',
    act: 'journal.prune',
    target: `${chain} segment ${info.segment}`,
    detail: JSON.stringify(detail),
    count: written.dropped,
  };
  record(`${JSON.stringify(row)}\n`);
  await fs.promises.unlink(source);
}

/** Copies the rows of one class into a part file; without such rows there is none. */
async function rewrite(source: string, target: string, info: SegmentInfo, left: RowClass) {
  const part = new PartFile(target, JSON.stringify({ part: info.segment, rows: left, to: info.to }));
  try {
    const copied = await copyRows(source, part, left);
    return { ...copied, sha256: await part.finish() };
  } catch (error) {
    await part.abandon();
    throw error;
  }
}

async function copyRows(source: string, part: PartFile, left: RowClass) {
  const result = { dropped: 0, batches: null as [number, number] | null, hash: null as string | null };
  for await (const line of createInterface({ input: fs.createReadStream(source), crlfDelay: Infinity })) {
    if (line.startsWith('{"seal":')) {
      const seq = Number(/^\{"seal":(\d+)/.exec(line)?.[1]);
      result.batches = [result.batches?.[0] ?? seq, seq];
      result.hash = /"hash":"([0-9a-f]{64})"\}$/.exec(line)?.[1] ?? null;
    }
    if (!line.startsWith('{"time":')) continue;
    if (rowClassAt(Buffer.from(line.slice(0, 64)), 0) === left) await part.add(line);
    else result.dropped += 1;
  }
  return result;
}

async function segmentInfos(folder: string, cache: SegmentCache): Promise<SegmentInfo[]> {
  const { whole, pruned } = segmentNumbers(folder);
  const infos: SegmentInfo[] = [];
  for (const segment of whole) infos.push(await wholeInfo(folder, segment, segment === whole.at(-1), cache));
  for (const segment of pruned) infos.push(await partInfo(folder, segment, cache));
  return infos.toSorted((a, b) => a.segment - b.segment);
}

/** The totals stand in the next segment's header; without one the segment is counted. */
async function wholeInfo(folder: string, segment: number, live: boolean, cache: SegmentCache): Promise<SegmentInfo> {
  const name = segmentName(segment);
  const known = cache.get(name);
  if (known && !live) return known;
  const previous = parseHeader(await firstBytes(join(folder, segmentName(segment + 1))))?.previous;
  const totals = previous ?? (await countedTotals(join(folder, name)));
  const bytes = { traffic: Math.max(0, totals.bytes - totals.keptBytes), kept: totals.keptBytes };
  const info = { segment, whole: true, bytes, to: totals.to };
  if (!live) cache.set(name, info);
  return info;
}

async function partInfo(folder: string, segment: number, cache: SegmentCache): Promise<SegmentInfo> {
  const name = partName(segment);
  const known = cache.get(name);
  if (known) return known;
  const path = join(folder, name);
  const { size } = await fs.promises.stat(path);
  const head = JSON.parse((await firstBytes(path)).toString('utf8').split('\n')[0] ?? '{}') as {
    rows?: RowClass;
    to?: string;
  };
  const bytes =
    head.rows === 'traffic' ? { traffic: size, kept: 0 } : { traffic: 0, kept: Math.max(size, KEPT_FILE_BYTES_MIN) };
  const info = { segment, whole: false, bytes, to: head.to ?? '' };
  cache.set(name, info);
  return info;
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await fs.promises.open(path, 'r').catch(() => null);
  if (file === null) return Buffer.alloc(0);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function countedTotals(path: string): Promise<{ bytes: number; keptBytes: number; to: string }> {
  const bytes = await fs.promises.readFile(path);
  let keptBytes = 0;
  eachLine(bytes, 0, bytes.length, (from, to) => {
    if (isRow(bytes, from) && rowClassAt(bytes, from) === 'kept') keptBytes += to + 1 - from;
  });
  const { mtime } = await fs.promises.stat(path);
  return { bytes: bytes.length, keptBytes, to: mtime.toISOString() };
}
