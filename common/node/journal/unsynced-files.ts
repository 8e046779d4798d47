import { type FileOps, readFully, writeFully } from './file-ops.ts';
import { lastHash } from './format.ts';

/** The number of files that can wait for their fdatasync; beyond it, the writer syncs them itself. */
const WAITING_MAX = 8;
/** With this many files that cannot be synced, nothing more is written. */
const FAILING_MAX = 64;

/** A segment, or its sealed part: this many bytes, which end with this hash. */
export interface SealedFile {
  readonly fd: number;
  readonly bytes: number;
  readonly hash: string;
}

/**
 * Closed segments whose bytes are not yet known to be on disk, oldest first. A file leaves the list when it is synced,
 * and its descriptor is closed once, when it is no longer in use: the system may then assign the number to another
 * file.
 *
 * A failed sync makes its file doubtful, regardless of which part requested it: Linux reports the failure once, forgets
 * which pages were lost, and the next sync succeeds without them. So a doubtful file is written again, completely and
 * in place, before it is synced again. The bytes that are read for this may come from the disk and be outdated; they
 * must end with the hash of the written data, otherwise the file remains doubtful.
 *
 * Losses of an earlier process are not known here: a segment that it left without a clean stop is doubtful from the
 * start (`doubt`). Known weakness: this can also be true of segments that it closed shortly before; those are not
 * written again.
 */
export class UnsyncedFiles {
  readonly #ops: FileOps;
  readonly #files: SealedFile[] = [];
  readonly #doubtful = new Set<number>();
  /** In use by `fdatasync`, which evaluates the descriptor only when it runs. */
  readonly #underWay = new Set<number>();
  readonly #closeAfter = new Set<number>();

  constructor(ops: FileOps) {
    this.#ops = ops;
  }

  add(file: SealedFile): void {
    this.#files.push(file);
  }

  /** It may have lost pages without another report. */
  doubt(fd: number): void {
    this.#doubtful.add(fd);
  }

  /** Syncs the listed files and `current`. @throws the error of the disk; the files from there on stay in the list. */
  sync(current: SealedFile | null): void {
    while (this.#files.length > 0) this.#syncOldest();
    if (current !== null) this.#syncNow(current);
  }

  /** Call it before a file is added. Retries the sync of files that failed; with too many of them, it throws. */
  makeRoom(): void {
    if (this.#files.length < WAITING_MAX) return;
    try {
      this.#syncOldest();
    } catch (error) {
      if (this.#files.length >= FAILING_MAX) throw error;
    }
  }

  /**
   * Syncs the files that are listed now, off the thread, and `current`, which is still being written to. Must not be
   * called while it runs.
   */
  async syncLater(current: SealedFile | null): Promise<void> {
    const files = [...this.#files];
    // The growing file first: it is written again up to its current end.
    const all = current === null ? files : [current, ...files];
    for (const { fd } of all) this.#underWay.add(fd);
    try {
      for (const file of all) if (!this.#closeAfter.has(file.fd)) await this.#syncSoon(file);
      // The sync may have succeeded only because the failure was reported to another call.
      if (all.some(({ fd }) => this.#doubtful.has(fd))) throw new Error('another sync of the journal failed meanwhile');
      for (const file of files) this.#synced(file);
    } finally {
      this.#underWay.clear();
      for (const fd of this.#closeAfter) this.#closeNow(fd);
    }
  }

  /** Closes a file that is not in the list. */
  close(fd: number): void {
    if (this.#underWay.has(fd)) this.#closeAfter.add(fd);
    else this.#closeNow(fd);
  }

  /** `fdatasync` of a file whose earlier bytes are not in doubt (`renew`). @throws the error of the disk. */
  fdatasync(fd: number): void {
    try {
      this.#ops.fdatasyncSync(fd);
    } catch (error) {
      this.#doubtful.add(fd);
      throw error;
    }
  }

  /** Writes a doubtful file again. @throws if that fails, or if the written data can no longer be read. */
  renew({ fd, bytes, hash }: SealedFile): void {
    if (!this.#doubtful.has(fd)) return;
    const content = readFully(this.#ops, fd, bytes);
    if (lastHash(content) !== hash)
      throw new Error('the disk lost a part of a journal segment: it cannot be read back as it was written');
    writeFully(this.#ops, fd, content, 0);
    this.#doubtful.delete(fd);
  }

  #syncNow(file: SealedFile): void {
    this.renew(file);
    this.fdatasync(file.fd);
  }

  #syncSoon(file: SealedFile): Promise<void> {
    this.renew(file);
    return this.#fdatasync(file.fd);
  }

  #syncOldest(): void {
    const [oldest] = this.#files;
    if (oldest === undefined) return;
    this.#syncNow(oldest);
    this.#synced(oldest);
  }

  #synced(file: SealedFile): void {
    const at = this.#files.indexOf(file);
    if (at < 0) return;
    this.#files.splice(at, 1);
    this.close(file.fd);
  }

  #closeNow(fd: number): void {
    this.#closeAfter.delete(fd);
    this.#doubtful.delete(fd);
    this.#ops.closeSync(fd);
  }

  #fdatasync(fd: number): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#ops.fdatasync(fd, (error) => {
        if (error === null) return resolve();
        this.#doubtful.add(fd);
        reject(error);
      }),
    );
  }
}
