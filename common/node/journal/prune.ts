import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { eachLine, isRow, lastHash, lastSeal, parseHeader, partName, rowClassAt, segmentName } from './format.ts';
import type { ChainAnchors, SegmentEnd } from './chain-anchors.ts';
import type { RowClass } from './format.ts';
import { syncFolder } from './file-ops.ts';
import { PartFile } from './part-file.ts';
import { firstBytes } from './read.ts';
import { segmentNumbers } from './recover.ts';

/**
 * Pruning with two quotas that cannot evict each other: traffic (uses, outcomes, tests) by days and bytes, kept rows
 * (audited actions, refusals, prunings) only by bytes. Both remove their oldest rows first.
 *
 * A whole segment that loses one class is replaced by a part file with the rows of the other class; a part that loses
 * its class is removed. The host prunes both chains and records each step in its anchors log: a gap or a part file that
 * is not in the log is tampering. Only files in the anchors log count, with the sizes and times recorded there: a
 * planted file or a changed header cannot push rows out. Rows are compared with the anchors before they are pruned, so
 * that pruning cannot remove the traces of a change. Order: part file synced, step recorded, old file removed; a crash
 * in between leaves the whole segment, which readers prefer.
 */
export interface PruneOptions {
  /** The chain's own folder. */
  folder: string;
  days: number;
  /** Bytes of traffic rows. */
  maxBytes: number;
  /** Bytes of kept rows. */
  keptBytesMax: number;
  /** The newest segment that may be pruned. */
  newest: number;
  anchors: Pick<ChainAnchors, 'closed' | 'closedUpTo' | 'prunes' | 'removed' | 'takenOver'>;
}

/** One step, to be recorded durably before the old file is removed. */
export interface PruneStep {
  segment: number;
  dropped: RowClass;
  /** SHA-256 (hex) of the remaining part file, or null. */
  part: string | null;
  /** Number of removed rows. */
  rows: number;
  /** The file matches its anchor; null: it has no anchor. */
  intact: boolean | null;
}

/** `detail` of a prune row of releases up to 1.1, which is stored in the chain itself. */
export interface PruneDetail {
  segment: number;
  dropped: RowClass;
  part: string | null;
  /** For a segment that was whole: its batches and the hash of the last one. */
  batches: [number, number] | null;
  hash: string | null;
}

/** The smallest size that a kept part file counts with, so that the number of such files is limited too. */
const KEPT_FILE_BYTES_MIN = 64 * 1024;
const STEPS_MAX = 64;
const DAY_MS = 24 * 60 * 60 * 1000;

interface SegmentInfo {
  segment: number;
  whole: boolean;
  bytes: Record<RowClass, number>;
  to: string;
}

/** The contents of closed segments, by file name: they do not change. */
export type SegmentCache = Map<string, SegmentInfo>;

/** `vouch` records a step durably. If it throws, nothing is removed. Resolves with the number of completed steps. */
export async function pruneChain(
  options: PruneOptions,
  vouch: (step: PruneStep) => Promise<void>,
  cache: SegmentCache = new Map(),
): Promise<number> {
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const infos = await segmentInfos(options, cache);
    const step = nextStep(options, infos, options.newest);
    if (step === null) return steps;
    await drop(options, step.info, step.dropped, vouch);
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
  { folder, anchors }: PruneOptions,
  info: SegmentInfo,
  dropped: RowClass,
  vouch: (step: PruneStep) => Promise<void>,
): Promise<void> {
  const { segment } = info;
  const source = join(folder, info.whole ? segmentName(segment) : partName(segment));
  const bytes = await fs.promises.readFile(source);
  const target = join(folder, partName(segment));
  const left: RowClass = dropped === 'traffic' ? 'kept' : 'traffic';
  const intact = info.whole ? wholeIsIntact(bytes, segment, anchors) : partIsIntact(bytes, segment, anchors);
  const written = info.whole
    ? await rewrite(bytes, `${target}.new`, info, left)
    : { part: null, rows: countRows(bytes) };
  if (written.part !== null) {
    await fs.promises.rename(`${target}.new`, target);
    syncFolder(folder);
  }
  await vouch({ segment, dropped, ...written, intact });
  await fs.promises.unlink(source);
}

function wholeIsIntact(bytes: Buffer, segment: number, { closed }: PruneOptions['anchors']): boolean | null {
  const [before, end] = [closed.get(segment - 1), closed.get(segment)];
  const header = parseHeader(bytes);
  const hash = lastHash(bytes.subarray(0, lastSeal(bytes)?.end ?? 0));
  if (header === null || hash === null || header.segment !== segment) return false;
  if (before !== undefined && (header.prev !== before.hash || header.batch !== before.seq + 1)) return false;
  return end === undefined ? null : hash === end.hash && bytes.length === end.bytes;
}

function partIsIntact(bytes: Buffer, segment: number, anchors: PruneOptions['anchors']): boolean | null {
  // A crash may have occurred before the file was removed.
  const known = anchors.prunes.get(segment) ?? anchors.removed.get(segment);
  return known === undefined ? null : known === createHash('sha256').update(bytes).digest('hex');
}

/** Copies the rows of one class into a part file; without such rows none is created. */
async function rewrite(bytes: Buffer, target: string, info: SegmentInfo, left: RowClass) {
  const part = new PartFile(target, JSON.stringify({ part: info.segment, rows: left, to: info.to }));
  const stays: [number, number][] = [];
  let rows = 0;
  eachLine(bytes, 0, bytes.length, (from, to) => {
    if (!isRow(bytes, from)) return;
    if (rowClassAt(bytes, from) === left) stays.push([from, to]);
    else rows += 1;
  });
  try {
    for (const [from, to] of stays) await part.add(bytes.toString('utf8', from, to));
    return { part: await part.finish(), rows };
  } catch (error) {
    await part.abandon();
    throw error;
  }
}

function countRows(bytes: Buffer): number {
  let rows = 0;
  eachLine(bytes, 0, bytes.length, (from) => void (isRow(bytes, from) && (rows += 1)));
  return rows;
}

async function segmentInfos({ folder, anchors }: PruneOptions, cache: SegmentCache): Promise<SegmentInfo[]> {
  const { whole, pruned } = segmentNumbers(folder);
  const { closed, closedUpTo, prunes, removed, takenOver } = anchors;
  const isEarlier = (segment: number) => segment <= (takenOver?.segment ?? 0);
  const live = closedUpTo + 1;
  const infos: SegmentInfo[] = [];
  for (const segment of whole) {
    const end = closed.get(segment);
    if (end) infos.push(closedInfo(segment, end));
    else if (segment === live || isEarlier(segment))
      infos.push(await countedInfo(folder, segment, segment === live, cache));
  }
  for (const segment of pruned)
    if (prunes.get(segment) || removed.has(segment) || isEarlier(segment))
      infos.push(await partInfo(folder, segment, cache));
  return infos.toSorted((a, b) => a.segment - b.segment);
}

function closedInfo(segment: number, { bytes, keptBytes, to }: SegmentEnd): SegmentInfo {
  return { segment, whole: true, bytes: { traffic: bytes - keptBytes, kept: keptBytes }, to };
}

/**
 * For the current segment, or one of an earlier release: the totals are in the header of the next segment, otherwise
 * they are counted.
 */
async function countedInfo(folder: string, segment: number, live: boolean, cache: SegmentCache): Promise<SegmentInfo> {
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

async function countedTotals(path: string): Promise<{ bytes: number; keptBytes: number; to: string }> {
  const bytes = await fs.promises.readFile(path);
  let keptBytes = 0;
  eachLine(bytes, 0, bytes.length, (from, to) => {
    if (isRow(bytes, from) && rowClassAt(bytes, from) === 'kept') keptBytes += to + 1 - from;
  });
  const { mtime } = await fs.promises.stat(path);
  return { bytes: bytes.length, keptBytes, to: mtime.toISOString() };
}
