import fs from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { clip } from '#common/clip.ts';
import type { AuditRow } from '#common/model/audit.ts';
import type { FileOps } from './file-ops.ts';
import { syncFolder, writeFully } from './file-ops.ts';

/**
 * `refusals.ring`: the last 10,000 refusals of the gateway, each with the compared values, in slots of 1 KiB. Refusals
 * that are only counted in the journal can still be explained from it, and a crash loses no count: a slot contains the
 * current number of refusals of its kind for the next counted row.
 *
 * File: one slot with the mark (`accounted`: refusals up to this sequence are in counted rows), then slot n % 10,000
 * for sequence n (from 1). Slot: CRC-32 of the rest (4 bytes), length (4), JSON. A torn or unwritten slot has a wrong
 * CRC and counts as empty. The size is fixed at creation, so that a full disk cannot affect it. Weakness: the ring is
 * outside the hash chain; it explains refusals but proves nothing.
 */
export const RING_FILE = 'refusals.ring';
export const RING_SLOTS = 10_000;
export const SLOT_BYTES = 1024;
const SLOT_HEAD_BYTES = 8;
const JSON_BYTES_MAX = SLOT_BYTES - SLOT_HEAD_BYTES;
const RING_BYTES = (RING_SLOTS + 1) * SLOT_BYTES;

export interface RingEntry {
  /** Counted from 1, never reset. */
  seq: number;
  /** Digest of the fold key. */
  fold: string;
  /** Refusals of this fold that were only counted, within the counting period `period`; 0 for a single row. */
  count: number;
  /** Ends with each attempt to write the counted rows. */
  period: number;
  row: AuditRow;
}

/** A slot on its way to the writer's thread. */
export interface RingSlot {
  seq: number;
  text: string;
}

/** The content of a slot as text: it is encoded in the writer's thread, not on the request path. */
export function slotText(entry: RingEntry): string {
  return JSON.stringify(entry);
}

/** Writes a slot into `slot`, which contains only zeros. Long texts of the row are clipped until it fits. */
function encodeSlot(text: string, slot: Buffer): void {
  const json = text.length <= JSON_BYTES_MAX && Buffer.byteLength(text) <= JSON_BYTES_MAX ? text : cutText(text);
  slot.writeUInt32LE(slot.write(json, SLOT_HEAD_BYTES), 4);
  slot.writeUInt32LE(crc32(slot.subarray(4)), 0);
}

function cutText(text: string): string {
  const entry = JSON.parse(text) as RingEntry;
  for (const chars of [100, 30, 10]) {
    const json = JSON.stringify({ ...entry, row: shortened(entry.row, chars) });
    if (Buffer.byteLength(json) <= JSON_BYTES_MAX) return json;
  }
  const { time, type, requestId, code, status } = entry.row;
  const least = { time, type, ...(requestId && { requestId }), ...(code && { code }), ...(status && { status }) };
  return JSON.stringify({ ...entry, row: least });
}

function shortened(row: AuditRow, chars: number): AuditRow {
  const cut = (value: unknown) => (typeof value === 'string' ? clip(value, chars) : value);
  const short = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, name === 'requestId' ? value : cut(value)]),
  );
  const compared = Object.fromEntries(
    Object.entries(row.why?.compared ?? {})
      .slice(0, 12)
      .map(([name, value]) => [name, cut(value)]),
  );
  return {
    ...(short as unknown as AuditRow),
    ...(row.why && { why: { ...row.why, compared } as NonNullable<AuditRow['why']> }),
  };
}

function decodeSlot(slot: Buffer): unknown {
  const length = slot.readUInt32LE(4);
  if (length === 0 || length > JSON_BYTES_MAX || crc32(slot.subarray(4)) !== slot.readUInt32LE(0)) return null;
  try {
    return JSON.parse(slot.toString('utf8', SLOT_HEAD_BYTES, SLOT_HEAD_BYTES + length));
  } catch {
    return null;
  }
}

/** The ring file in the writer's thread. Every method throws errors of the file system. */
export class RingFile {
  readonly #path: string;
  readonly #ops: FileOps;
  #fd: number | null = null;

  constructor(path: string, ops: FileOps) {
    this.#path = path;
    this.#ops = ops;
  }

  /** Opens the file. Creates it, filled with zeros, if it is missing or has another size. */
  open(): void {
    this.close();
    const size = fs.statSync(this.#path, { throwIfNoEntry: false })?.size;
    const fd = this.#ops.openSync(this.#path, size === RING_BYTES ? 'r+' : 'w+', 0o600);
    try {
      if (size !== RING_BYTES) writeFully(this.#ops, fd, Buffer.alloc(RING_BYTES), 0);
      // If a power cut loses the name of a file, its flushed data is lost too.
      syncFolder(dirname(this.#path));
    } catch (error) {
      // A file of another size is not written to: the next start would create it again.
      this.#ops.closeSync(fd);
      throw error;
    }
    this.#fd = fd;
  }

  /** Writes slots of consecutive sequences in one call, unless they wrap around. */
  write(slots: readonly RingSlot[]): void {
    for (let from = 0; from < slots.length;) {
      const first = slots[from]?.seq ?? 0;
      let to = from + 1;
      while (slots[to]?.seq === first + to - from && (slots[to]?.seq ?? 0) % RING_SLOTS !== 0) to++;
      this.#writeTexts(
        1 + (first % RING_SLOTS),
        slots.slice(from, to).map(({ text }) => text),
      );
      from = to;
    }
  }

  mark(accounted: number): void {
    this.#writeTexts(0, [JSON.stringify({ accounted })]);
  }

  sync(): void {
    if (this.#fd !== null) this.#ops.fdatasyncSync(this.#fd);
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = null;
    if (fd !== null) this.#ops.closeSync(fd);
  }

  #writeTexts(slot: number, texts: readonly string[]): void {
    const bytes = Buffer.alloc(texts.length * SLOT_BYTES);
    for (const [index, text] of texts.entries())
      encodeSlot(text, bytes.subarray(index * SLOT_BYTES, (index + 1) * SLOT_BYTES));
    if (this.#fd === null || !this.#ops.isAt(this.#fd, this.#path)) this.open();
    if (this.#fd !== null) writeFully(this.#ops, this.#fd, bytes, slot * SLOT_BYTES);
  }
}

export interface RingContent {
  accounted: number;
  /** Ascending by sequence. */
  entries: RingEntry[];
}

/** All readable slots of a ring file; empty if there is no file. */
export function readRing(path: string): RingContent {
  const bytes = fs.existsSync(path) ? fs.readFileSync(path) : Buffer.alloc(0);
  const entries: RingEntry[] = [];
  for (let at = SLOT_BYTES; at + SLOT_BYTES <= bytes.length; at += SLOT_BYTES) {
    const entry = entryAt(bytes, at);
    if (entry !== null) entries.push(entry);
  }
  const mark = bytes.length >= SLOT_BYTES ? decodeSlot(bytes.subarray(0, SLOT_BYTES)) : null;
  const accounted = typeof mark === 'object' && mark !== null && 'accounted' in mark ? Number(mark.accounted) : 0;
  return { accounted, entries: entries.toSorted((a, b) => a.seq - b.seq) };
}

/** The refusal with this request ID (or else with the caller's own ID), newest first. */
export async function findInRing(path: string, requestId: string): Promise<RingEntry | null> {
  const bytes = await fs.promises.readFile(path).catch(() => Buffer.alloc(0));
  const wanted = JSON.stringify(requestId);
  const found: RingEntry[] = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    const entry = entryAt(bytes, at - (at % SLOT_BYTES));
    if (entry?.row.requestId === requestId || entry?.row.clientRequestId === requestId) found.push(entry);
  }
  const exact = found.filter((entry) => entry.row.requestId === requestId);
  return (exact.length > 0 ? exact : found).toSorted((a, b) => b.seq - a.seq)[0] ?? null;
}

function entryAt(bytes: Buffer, at: number): RingEntry | null {
  const value = decodeSlot(bytes.subarray(at, at + SLOT_BYTES));
  if (typeof value !== 'object' || value === null || !('seq' in value) || !('row' in value)) return null;
  return value as unknown as RingEntry;
}
