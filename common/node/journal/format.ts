import { createHash, hash as hashOnce } from 'node:crypto';
import { join } from 'node:path';
import type { ChainName } from '#common/model/audit.ts';

/**
 * The file format of the journal, version 1. A chain is a folder of segments `<8 digits>.jsonl`, JSON Lines, UTF-8.
 *
 * Lines, distinguished by their first name:
 * - `{"segment":7,"journal":1,"chain":…,"prev":…,"batch":…,"time":…,"previous":{…}|null}`: first line of a segment;
 *   `prev` is the hash of the batch before it, `batch` the number of the segment's first batch, `previous` the contents
 *   of the previous segment (bytes, bytes of kept rows, first and last time).
 * - `{"start":…,"unclean":{"from":…,"to":…,"bytesDropped":n}|null}`: a writer opened the chain.
 * - `{"stop":…}`: it closed the chain cleanly.
 * - `{"time":…,"type":…}`: a row. These two names come first and in this form, so that one byte determines the class of
 *   a row.
 * - `{"seal":n,"rows":n,"time":…,"hash":…}`: ends batch n. `hash` = SHA-256 of the 32 bytes of the previous hash and of
 *   every byte from the previous seal line (or the start of the segment) up to `,"hash":` of this line. So headers,
 *   rows and the values of the seal are all covered. The first batch of a chain follows 32 zero bytes. A seal can have
 *   `"ring":n`: all refusals up to ring sequence n are accounted for in rows (ring.ts).
 *
 * Bytes after the last seal line are not part of the journal. Nor is, in the newest segment, anything from the first
 * batch with a zero byte on: no line contains one, but a write torn by a power cut leaves zeros in place of missing
 * sectors, and its seal line may be present nevertheless. A pruned segment is replaced by `<8 digits>.part.jsonl`:
 * `{"part":7,"rows":"traffic"|"kept"}`, then rows; its SHA-256 is in the chain's own `prune` row (prune.ts).
 */
export const FORMAT_VERSION = 1;
export const SEGMENT_BYTES_MAX = 16 * 1024 ** 2;
/** A segment is closed after a day, so that the retention in days is accurate to a day. */
export const SEGMENT_AGE_MS_MAX = 24 * 60 * 60 * 1000;
export const HASH_BYTES = 32;
export const ZERO_HASH = '0'.repeat(64);
export const LINE_FEED = 10;

/** Traffic: uses, outcomes, tests, writes. Kept: audited actions, refusals, prunings; traffic cannot evict them. */
export type RowClass = 'traffic' | 'kept';

/** Position of the first letter of a row's type: `{"time":"2026-01-01T00:00:00.000Z","type":"use"`. */
const TYPE_AT = '{"time":"2026-01-01T00:00:00.000Z","type":"'.length;
const TRAFFIC_LETTERS: ReadonlySet<number> = new Set(['u', 'o', 't', 'w'].map((letter) => letter.charCodeAt(0)));

/** The class of the row that starts at `start`; an unknown class counts as kept. */
export function rowClassAt(bytes: Uint8Array, start: number): RowClass {
  return TRAFFIC_LETTERS.has(bytes[start + TYPE_AT] ?? 0) ? 'traffic' : 'kept';
}

export function chainFolder(folder: string, chain: ChainName): string {
  return join(folder, chain);
}

export function segmentName(segment: number): string {
  return `${String(segment).padStart(8, '0')}.jsonl`;
}

export function partName(segment: number): string {
  return `${String(segment).padStart(8, '0')}.part.jsonl`;
}

export interface SegmentHeader {
  segment: number;
  journal: number;
  chain: ChainName;
  prev: string;
  batch: number;
  time: string;
  previous: SegmentTotals | null;
}

/** The contents of a closed segment: bytes in total, bytes of kept rows, time of its first and last batch. */
export interface SegmentTotals {
  bytes: number;
  keptBytes: number;
  from: string;
  to: string;
}

export interface UncleanStop {
  from: string;
  to: string;
  bytesDropped: number;
}

export interface Seal {
  seq: number;
  rows: number;
  time: string;
  ring: number | null;
  hash: string;
}

const SEAL_LINE = /^\{"seal":(\d+),"rows":(\d+),"time":"([^"]{24})"(?:,"ring":(\d+))?,"hash":"([0-9a-f]{64})"\}$/;
const SEAL_START = Buffer.from('{"seal":');
const NEXT_SEAL_START = Buffer.from('\n{"seal":');
/** `,"hash":"<64>"}` */
const HASH_FIELD_CHARS = 9 + 64 + 2;

/** The covered part of a seal line; `sealEnd` completes it. */
export function sealStart(seq: number, rows: number, time: string, ring: number | null): string {
  return `{"seal":${seq},"rows":${rows},"time":"${time}"${ring === null ? '' : `,"ring":${ring}`}`;
}

export function sealEnd(hash: string): string {
  return `,"hash":"${hash}"}\n`;
}

/** One-shot hash over bytes that start with the previous hash: half the cost of createHash for a small batch. */
export function hashOf(prevAndContent: Uint8Array): string {
  return hashOnce('sha256', prevAndContent, 'hex');
}

export interface SealedBatch {
  /** Offset of the batch's first byte and of the byte after its seal line. */
  start: number;
  end: number;
  /** Offset of the seal line. */
  sealAt: number;
  seal: Seal;
}

/** The batch that starts at `start`, or null if no complete seal line follows. An unreadable seal line throws. */
export function batchAt(bytes: Buffer, start: number): SealedBatch | null {
  const sealAt = isSeal(bytes, start) ? start : bytes.indexOf(NEXT_SEAL_START, start) + 1;
  if (sealAt === 0 && start !== 0) return null;
  if (sealAt < start || !isSeal(bytes, sealAt)) return null;
  const lineEnd = bytes.indexOf(LINE_FEED, sealAt);
  if (lineEnd < 0) return null;
  const seal = parseSeal(bytes.toString('latin1', sealAt, lineEnd));
  if (seal === null) throw new Error(`the seal line at byte ${sealAt} cannot be read`);
  return { start, end: lineEnd + 1, sealAt, seal };
}

export function parseSeal(line: string): Seal | null {
  const match = SEAL_LINE.exec(line);
  if (match === null) return null;
  const [, seq = '', rows = '', time = '', ring, hash = ''] = match;
  return { seq: Number(seq), rows: Number(rows), time, ring: ring === undefined ? null : Number(ring), hash };
}

/** The expected hash of the batch after `prev`. */
export function batchHash(bytes: Buffer, batch: SealedBatch, prev: string): string {
  const covered = bytes.subarray(batch.start, batch.end - 1 - HASH_FIELD_CHARS);
  return createHash('sha256').update(Buffer.from(prev, 'hex')).update(covered).digest('hex');
}

/** The hash at the end of a segment if each of its batches matches its seal and no bytes follow; else null. */
export function lastHash(segment: Buffer): string | null {
  let hash = parseHeader(segment)?.prev ?? '';
  let at = 0;
  try {
    for (let batch = batchAt(segment, 0); batch !== null; batch = batchAt(segment, at)) {
      if (batchHash(segment, batch, hash) !== batch.seal.hash) return null;
      hash = batch.seal.hash;
      at = batch.end;
    }
  } catch {
    return null;
  }
  return at === segment.length ? hash : null;
}

/** Calls back with the offsets (end without line feed) of each complete line between two offsets. */
export function eachLine(bytes: Buffer, start: number, end: number, call: (from: number, to: number) => void): void {
  for (let from = start; from < end;) {
    const to = bytes.indexOf(LINE_FEED, from);
    if (to < 0 || to >= end) return;
    call(from, to);
    from = to + 1;
  }
}

const ROW_START = Buffer.from('{"time":');

export function isRow(bytes: Buffer, from: number): boolean {
  return bytes.subarray(from, from + ROW_START.length).equals(ROW_START);
}

export function isSeal(bytes: Buffer, from: number): boolean {
  return bytes.subarray(from, from + SEAL_START.length).equals(SEAL_START);
}

/** The bytes before the first zero byte: those that were written completely. */
export function untorn(bytes: Buffer): Buffer {
  const zero = bytes.indexOf(0);
  return zero < 0 ? bytes : bytes.subarray(0, zero);
}

/** The end of the last complete seal line of a segment, and that seal; null if it has no seal. */
export function lastSeal(segment: Buffer): { end: number; start: number; seal: Seal } | null {
  const bytes = untorn(segment);
  for (let before = bytes.length; before > 0;) {
    const found = bytes.lastIndexOf(NEXT_SEAL_START, before - 1);
    const at = found < 0 ? 0 : found + 1;
    const lineEnd = bytes.indexOf(LINE_FEED, at);
    const seal = lineEnd < 0 ? null : parseSeal(bytes.toString('latin1', at, lineEnd));
    if (seal !== null) return { start: at, end: lineEnd + 1, seal };
    if (found < 0) return null;
    before = found;
  }
  return null;
}

export function parseHeader(bytes: Buffer): SegmentHeader | null {
  const end = bytes.indexOf(LINE_FEED);
  if (end < 0) return null;
  const header = parseLine(bytes, 0, end);
  const usable =
    header !== null &&
    Number.isInteger(header['segment']) &&
    header['journal'] === FORMAT_VERSION &&
    typeof header['prev'] === 'string' &&
    Number.isInteger(header['batch']);
  return usable ? (header as unknown as SegmentHeader) : null;
}

/** One line as a JSON object, else null. */
export function parseLine(bytes: Buffer, from: number, to: number): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', from, to));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
