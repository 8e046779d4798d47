import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainHead, ChainName } from '#common/model/audit.ts';
import {
  eachLine,
  FORMAT_VERSION,
  HASH_BYTES,
  hashOf,
  isRow,
  rowClassAt,
  sealEnd,
  SEGMENT_AGE_MS_MAX,
  SEGMENT_BYTES_MAX,
  segmentName,
  sealStart,
} from './format.ts';
import type { SegmentHeader, SegmentTotals } from './format.ts';
import type { FileOps } from './file-ops.ts';
import { makeFolder, syncFolder, writeFully } from './file-ops.ts';
import { recoverChain } from './recover.ts';
import { type SealedFile, UnsyncedFiles } from './unsynced-files.ts';

const BUFFER_BYTES_FIRST = 1024 ** 2;
/** An upper limit of the length of a seal line. */
const SEAL_BYTES_MAX = 256;
/** How often the writer checks that the open file is still the one in the folder. */
const PRESENCE_CHECK_MS = 100;

export interface SegmentWriterOptions {
  /** The chain's own folder. */
  folder: string;
  chain: ChainName;
  /** fdatasync after every batch. */
  powerSafe: boolean;
  segmentBytesMax?: number;
}

/**
 * Appends sealed batches to a chain: the only code that writes segments (format.ts). Synchronous; runs in the writer's
 * thread. A failed append throws and leaves the chain unchanged: the file is truncated, or, if that fails too or the
 * file has gone, the next batch starts a new segment. So the hash chain contains exactly the batches that were
 * acknowledged as written.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #ops: FileOps;
  #fd: number | null = null;
  #segment = 0;
  #totals: SegmentTotals = { bytes: 0, keptBytes: 0, from: '', to: '' };
  #openedAtMs = 0;
  #seq = 0;
  #hash = '';
  #time = '';
  /** The ring mark of the last seal that was read when the chain was opened. */
  #ring: number | null = null;
  #unverified: number | null = null;
  #found: ChainHead | null = null;
  /** Bytes removed by an opening that then failed; reported by the next successful one. */
  #bytesDropped = 0;
  #checkedAtMs = -Infinity;
  /** The file may contain bytes after the last seal, or be lost: repair it before the next write. */
  #needsRepair = false;
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES_FIRST);
  /** The path of a new segment that could be neither written nor removed. */
  #leftBehind: string | null = null;
  readonly #unsynced: UnsyncedFiles;

  constructor(options: SegmentWriterOptions, ops: FileOps) {
    this.#options = options;
    this.#ops = ops;
    this.#unsynced = new UnsyncedFiles(ops);
  }

  get head(): ChainHead {
    return { chain: this.#options.chain, seq: this.#seq, hash: this.#hash, time: this.#time };
  }

  get segment(): number {
    return this.#segment;
  }

  get ring(): number | null {
    return this.#ring;
  }

  /**
   * The segment that does not match its seals and was left unchanged when the chain was opened; null: everything
   * verified.
   */
  get unverified(): number | null {
    return this.#unverified;
  }

  /** The last batch before this writer wrote; number 0 if there was none. */
  get found(): ChainHead {
    return this.#found ?? this.head;
  }

  set powerSafe(on: boolean) {
    this.#options.powerSafe = on;
  }

  /** Recovers the chain and writes the start line. Throws if the folder cannot be used; can be called again. */
  open(): void {
    const { folder } = this.#options;
    makeFolder(folder);
    const now = new Date().toISOString();
    const found = recoverChain(folder, now, this.#bytesDropped);
    this.#bytesDropped = found.unclean?.bytesDropped ?? 0;
    this.#segment = found.segment;
    this.#totals = found.totals;
    this.#openedAtMs = Date.parse(found.totals.from);
    this.#seq = found.seq;
    this.#hash = found.hash;
    this.#time = found.time;
    this.#ring = found.ring;
    this.#unverified = found.unverified;
    this.#found ??= this.head;
    // Recovery has removed it or continues with it.
    this.#leftBehind = null;
    this.#closeFile();
    if (found.reuse) this.#fd = this.#ops.openSync(join(folder, segmentName(found.segment)), 'r+');
    if (this.#fd !== null && found.unclean !== null) this.#unsynced.doubt(this.#fd);
    this.append(`${JSON.stringify({ start: now, unclean: found.unclean })}\n`, found.ring);
    this.#bytesDropped = 0;
  }

  /**
   * Seals `text` (whole lines, each with its line feed) as the next batch and writes it with one call.
   * @throws the file system's error; nothing of the batch is then in the chain.
   */
  append(text: string, ring: number | null): void {
    const now = Date.now();
    // Monotonic time: if the clock were set back, a lost file would go unnoticed for as long.
    if (this.#needsRepair || performance.now() - this.#checkedAtMs >= PRESENCE_CHECK_MS) this.#checkFile();
    const roll = this.#fd === null || this.#full(text.length, now);
    const time = new Date(now).toISOString();
    const batch = this.#compose(text, roll ? this.#header(time) : '', time, ring);
    const bytes = this.#buffer.subarray(HASH_BYTES, batch.end);
    if (roll) this.#writeToNewSegment(bytes, time, now);
    else this.#writeToSegment(bytes);
    this.#seq += 1;
    this.#hash = batch.hash;
    this.#time = time;
    this.#totals.bytes += bytes.length;
    this.#totals.keptBytes += batch.keptBytes;
    this.#totals.to = time;
  }

  /**
   * Writes the closing line; everything is synced afterwards. Also synced before it: otherwise it could follow lost
   * data.
   */
  stop(): void {
    this.syncAll();
    this.append(`{"stop":"${new Date().toISOString()}"}\n`, null);
    this.syncAll();
  }

  syncAll(): void {
    this.#unsynced.sync(this.#sealedFile);
  }

  /** The same off the thread, for everything written so far. Must not be called again while it runs. */
  syncLater(): Promise<void> {
    return this.#unsynced.syncLater(this.#sealedFile);
  }

  close(): void {
    this.#closeFile();
  }

  get #sealedFile(): SealedFile | null {
    return this.#fd === null ? null : { fd: this.#fd, bytes: this.#totals.bytes, hash: this.#hash };
  }

  #full(bytesMore: number, now: number): boolean {
    const max = this.#options.segmentBytesMax ?? SEGMENT_BYTES_MAX;
    return this.#totals.bytes + bytesMore > max || now - this.#openedAtMs > SEGMENT_AGE_MS_MAX;
  }

  #header(time: string): string {
    const header: SegmentHeader = {
      segment: this.#segment + 1,
      journal: FORMAT_VERSION,
      chain: this.#options.chain,
      prev: this.#hash,
      batch: this.#seq + 1,
      time,
      previous: this.#seq === 0 ? null : this.#totals,
    };
    return `${JSON.stringify(header)}\n`;
  }

  /**
   * Puts previous hash, header, rows and seal side by side in the buffer, so that one hash and one write are enough.
   */
  #compose(text: string, header: string, time: string, ring: number | null) {
    this.#reserve(HASH_BYTES + header.length + text.length * 3 + SEAL_BYTES_MAX);
    const buffer = this.#buffer;
    buffer.write(this.#hash, 0, 'hex');
    const rowsAt = HASH_BYTES + buffer.write(header, HASH_BYTES, 'latin1');
    let end = rowsAt + buffer.write(text, rowsAt, 'utf8');
    const { rows, keptBytes } = countRows(buffer, rowsAt, end);
    end += buffer.write(sealStart(this.#seq + 1, rows, time, ring), end, 'latin1');
    const hash = hashOf(buffer.subarray(0, end));
    end += buffer.write(sealEnd(hash), end, 'latin1');
    return { end, hash, keptBytes };
  }

  #reserve(bytes: number): void {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(bytes)));
  }

  #writeToSegment(bytes: Uint8Array): void {
    const file = this.#sealedFile;
    if (file === null) throw new Error('no segment is open');
    try {
      if (this.#options.powerSafe) this.#unsynced.renew(file);
      writeFully(this.#ops, file.fd, bytes, file.bytes);
      if (this.#options.powerSafe) this.#unsynced.fdatasync(file.fd);
    } catch (error) {
      this.#needsRepair = true;
      this.#cutBack();
      throw error;
    }
  }

  /** All steps that can fail come before the new file becomes part of the chain. */
  #writeToNewSegment(bytes: Uint8Array, time: string, now: number): void {
    const { folder } = this.#options;
    this.#unsynced.makeRoom();
    makeFolder(folder);
    const path = join(folder, segmentName(this.#segment + 1));
    this.#removeLeftBehind();
    const fd = this.#writtenFile(path, bytes);
    const before = this.#sealedFile;
    if (before !== null) this.#unsynced.add(before);
    this.#fd = fd;
    this.#segment += 1;
    this.#openedAtMs = now;
    this.#checkedAtMs = performance.now();
    this.#totals = { bytes: 0, keptBytes: 0, from: time, to: time };
  }

  #writtenFile(path: string, bytes: Uint8Array): number {
    // Never overwrites an existing file: the remains of a failed attempt were removed.
    const fd = this.#ops.openSync(path, 'wx+', 0o600);
    try {
      writeFully(this.#ops, fd, bytes, 0);
      if (!this.#options.powerSafe) return fd;
      this.#ops.fdatasyncSync(fd);
      syncFolder(this.#options.folder);
      return fd;
    } catch (error) {
      this.#leftBehind = path;
      this.#tryTo(() => this.#ops.closeSync(fd));
      this.#tryTo(() => this.#removeLeftBehind());
      throw error;
    }
  }

  #removeLeftBehind(): void {
    if (this.#leftBehind === null) return;
    if (existsSync(this.#leftBehind)) this.#ops.unlinkSync(this.#leftBehind);
    this.#leftBehind = null;
  }

  /** After a failure, which is the one to report. */
  #tryTo(act: () => void): void {
    try {
      act();
    } catch {
      // The next attempt finds it again.
    }
  }

  /** Truncates a failed write; if the file is not usable, it is left and a new segment begins. */
  #checkFile(): void {
    this.#checkedAtMs = performance.now();
    const file = this.#sealedFile;
    if (file === null) return;
    if (!this.#ops.isAt(file.fd, join(this.#options.folder, segmentName(this.#segment)))) return this.#closeFile();
    if (!this.#needsRepair || this.#cutBack()) return;
    this.#unsynced.add(file);
    this.#fd = null;
    this.#needsRepair = false;
  }

  #cutBack(): boolean {
    if (this.#fd === null) return false;
    try {
      this.#ops.ftruncateSync(this.#fd, this.#totals.bytes);
      this.#needsRepair = false;
      return true;
    } catch {
      return false;
    }
  }

  #closeFile(): void {
    const fd = this.#fd;
    this.#fd = null;
    this.#needsRepair = false;
    if (fd !== null) this.#unsynced.close(fd);
  }
}

function countRows(buffer: Buffer, start: number, end: number): { rows: number; keptBytes: number } {
  let rows = 0;
  let keptBytes = 0;
  eachLine(buffer, start, end, (from, to) => {
    if (!isRow(buffer, from)) return;
    rows += 1;
    if (rowClassAt(buffer, from) === 'kept') keptBytes += to + 1 - from;
  });
  return { rows, keptBytes };
}
