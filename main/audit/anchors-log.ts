import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from '#common/node/journal/file-ops.ts';
import type { AnchorRecord } from './anchor-records.ts';

/**
 * The anchors log, `<data>/journal/anchors.jsonl`: append-only, one record a line, each with a MAC over the MAC before
 * and the line. The key is derived from the DB secret and stays in the host, so nobody who can only write the folder
 * can add, change, reorder or remove a record, except to remove the newest. The anchors file contains the number and
 * MAC of the newest record, so a removal is detected too.
 *
 * A line torn by a power cut (no line feed) is dropped if the anchors file does not refer to it. Limits: beyond
 * `LOG_BYTES_MAX` it is rewritten without obsolete records (anchor-keeper.ts).
 */
export const ANCHORS_LOG = 'anchors.jsonl';
export const LOG_BYTES_MAX = 4 * 1024 ** 2;
/** Bytes of a record; the longest is a stop with two heads. */
const LINE_BYTES_MAX = 8 * 1024;
const PIECE_BYTES = 64 * 1024;
const DAMAGED_BYTES_MAX = 16 * 1024 ** 2;
const LINE_FEED = 10;
const NO_MAC = '0'.repeat(64);
const LINE = /^(\{"n":(\d+),.*),"mac":"([0-9a-f]{64})"\}$/;

/** Identifies the newest record; n counts from 1 and continues across a rewrite. */
export interface LogPosition {
  n: number;
  /** Hex, 32 bytes. */
  mac: string;
}

export interface LogContent {
  records: AnchorRecord[];
  positions: LogPosition[];
  bytes: number;
  /** The fault, as a sentence; the records before that position are valid. */
  fault: string | null;
  /** An unfinished last line. */
  torn: boolean;
}

/** 32 bytes, from those that seal the anchors file. */
export function logKey(anchorKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', anchorKey, Buffer.alloc(0), 'sluice anchors log', 32));
}

/**
 * Null if the file does not exist. Reads in pieces, up to the first line whose MAC does not match the key, so that
 * memory is used only for genuine records, even if somebody appended a lot of data.
 */
export function readLog(file: string, key: Buffer): LogContent | null {
  if (!fs.existsSync(file)) return null;
  const content: LogContent = { records: [], positions: [], bytes: 0, fault: null, torn: false };
  let before: LogPosition | null = null;
  const lines = linesOf(file);
  for (let line = lines.next(); ; line = lines.next()) {
    if (line.done === true) return { ...content, torn: line.value };
    const found: ReturnType<typeof readLine> = line.value === null ? null : readLine(line.value, before, key);
    if (found === null) break;
    before = found.position;
    content.positions.push(found.position);
    content.records.push(found.record);
    content.bytes += Buffer.byteLength(line.value as string) + 1;
  }
  lines.return(false);
  const place = (before?.n ?? 0) + 1;
  const fault = `Record ${place} of the anchors log was changed, removed or added by somebody without the key.`;
  return { ...content, fault };
}

/** Whole lines; null for a line that is too long for a record. Returns whether an unfinished line follows. */
function* linesOf(file: string): Generator<string | null, boolean, void> {
  const fd = fs.openSync(file, 'r');
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    let rest = Buffer.alloc(0);
    for (let read = fs.readSync(fd, piece); read > 0; read = fs.readSync(fd, piece)) {
      let bytes = Buffer.concat([rest, piece.subarray(0, read)]);
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED)) {
        yield end > LINE_BYTES_MAX ? null : bytes.toString('utf8', 0, end);
        bytes = bytes.subarray(end + 1);
      }
      if (bytes.length > LINE_BYTES_MAX) yield null;
      rest = bytes;
    }
    return rest.length > 0;
  } finally {
    fs.closeSync(fd);
  }
}

/** Keeps a manipulated log as evidence: at most `DAMAGED_BYTES_MAX` of it, otherwise it could fill the disk. */
export function keepDamaged(file: string): void {
  const fd = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(DAMAGED_BYTES_MAX, fs.fstatSync(fd).size));
    fs.writeFileSync(`${file}.damaged`, bytes.subarray(0, fs.readSync(fd, bytes)), { mode: 0o600 });
  } finally {
    fs.closeSync(fd);
  }
}

function readLine(line: string, before: LogPosition | null, key: Buffer) {
  const [, covered = '', number = '', mac = ''] = LINE.exec(line) ?? [];
  const n = Number(number);
  if (covered === '' || (before !== null && n !== before.n + 1)) return null;
  if (!timingSafeEqual(Buffer.from(macOf(key, before, covered), 'hex'), Buffer.from(mac, 'hex'))) return null;
  return { position: { n, mac }, record: JSON.parse(`${covered}}`) as AnchorRecord };
}

function macOf(key: Buffer, before: LogPosition | null, covered: string): string {
  return createHmac('sha256', key)
    .update(Buffer.from(before?.mac ?? NO_MAC, 'hex'))
    .update(covered)
    .digest('hex');
}

/** Appends to the log; one call after the other. */
export class AnchorsLog {
  readonly #file: string;
  readonly #key: Buffer;
  #last: LogPosition | null;
  #bytes: number;

  /** `content`: the existing valid content; null: none. */
  constructor(file: string, key: Buffer, content: LogContent | null) {
    this.#file = file;
    this.#key = key;
    this.#last = content?.positions.at(-1) ?? null;
    this.#bytes = content?.bytes ?? 0;
  }

  get position(): LogPosition | null {
    return this.#last;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The position after `append`. */
  after(records: readonly AnchorRecord[]): LogPosition | null {
    return this.#made(records, this.#last).last;
  }

  /** The position after `rewrite`. */
  afterRewrite(records: readonly AnchorRecord[], after: number): LogPosition | null {
    return this.#made(records, null, after).last;
  }

  /** Synced when it resolves. Rejects with the error of the disk; the log is then unchanged. */
  async append(records: readonly AnchorRecord[]): Promise<void> {
    const made = this.#made(records, this.#last);
    makeFolder(dirname(this.#file));
    const isNew = !fs.existsSync(this.#file);
    const handle = await fs.promises.open(this.#file, isNew ? 'wx' : 'r+', 0o600);
    try {
      // Also overwrites the remains of a failed attempt or a power cut.
      await handle.truncate(this.#bytes);
      await writeAll(handle, made.bytes, this.#bytes);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    if (isNew) syncFolder(dirname(this.#file));
    this.#bytes += made.bytes.length;
    this.#last = made.last;
  }

  /** Replaces all records with these; their numbers continue from the last. */
  async rewrite(records: readonly AnchorRecord[], after: number): Promise<void> {
    const made = this.#made(records, null, after);
    makeFolder(dirname(this.#file));
    const fresh = `${this.#file}.new`;
    const handle = await fs.promises.open(fresh, 'w', 0o600);
    try {
      await writeAll(handle, made.bytes, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.promises.rename(fresh, this.#file);
    syncFolder(dirname(this.#file));
    this.#bytes = made.bytes.length;
    this.#last = made.last;
  }

  #made(records: readonly AnchorRecord[], before: LogPosition | null, after = before?.n ?? 0) {
    let last = before;
    let n = after;
    let text = '';
    for (const record of records) {
      n += 1;
      const covered = JSON.stringify({ n, ...record }).slice(0, -1);
      const mac = macOf(this.#key, last, covered);
      text += `${covered},"mac":"${mac}"}\n`;
      last = { n, mac };
    }
    return { bytes: Buffer.from(text), last };
  }
}

async function writeAll(handle: fs.promises.FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    if (bytesWritten <= 0) throw new Error('the disk accepted no bytes');
    done += bytesWritten;
  }
}
