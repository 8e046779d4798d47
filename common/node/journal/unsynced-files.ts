import type { FileOps } from './file-ops.ts';

/** Files that wait for their fdatasync; past that the writer syncs them itself. */
const WAITING_MAX = 8;
/** So many that cannot be synced, and nothing more is written. */
const FAILING_MAX = 64;

/**
 * Closed segments whose bytes are not yet known to be on the medium, oldest first. A file leaves the list when it is
 * synced, and its number is closed once, when nobody uses it any more: another file may get the number then.
 */
export class UnsyncedFiles {
  readonly #ops: FileOps;
  readonly #files: number[] = [];
  /** Given to `fdatasync`, which looks at the number when it gets to it. */
  readonly #underWay = new Set<number>();
  readonly #closeAfter = new Set<number>();

  constructor(ops: FileOps) {
    this.#ops = ops;
  }

  add(fd: number): void {
    this.#files.push(fd);
  }

  /** @throws what the disk says; the files from there on stay in the list. */
  sync(): void {
    while (this.#files.length > 0) this.#syncOldest();
  }

  /** To be called before a file is added. A disk that fails to sync is tried again with each; too many, and it throws. */
  makeRoom(): void {
    if (this.#files.length < WAITING_MAX) return;
    try {
      this.#syncOldest();
    } catch (error) {
      if (this.#files.length >= FAILING_MAX) throw error;
    }
  }

  /** Off the thread: those in the list now, and `current`, which is still written to. Not to be called while it runs. */
  async syncLater(current: number | null): Promise<void> {
    const files = [...this.#files];
    const all = current === null ? files : [...files, current];
    for (const fd of all) this.#underWay.add(fd);
    try {
      for (const fd of all) if (!this.#closeAfter.has(fd)) await this.#fdatasync(fd);
      for (const fd of files) this.#synced(fd);
    } finally {
      this.#underWay.clear();
      for (const fd of this.#closeAfter) this.#closeNow(fd);
    }
  }

  /** Closes a file that is not in the list. */
  close(fd: number): void {
    if (this.#underWay.has(fd)) this.#closeAfter.add(fd);
    else this.#ops.closeSync(fd);
  }

  #syncOldest(): void {
    const oldest = this.#files[0];
    if (oldest === undefined) return;
    this.#ops.fdatasyncSync(oldest);
    this.#synced(oldest);
  }

  #synced(fd: number): void {
    const at = this.#files.indexOf(fd);
    if (at < 0) return;
    this.#files.splice(at, 1);
    this.close(fd);
  }

  #closeNow(fd: number): void {
    this.#closeAfter.delete(fd);
    this.#ops.closeSync(fd);
  }

  #fdatasync(fd: number): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#ops.fdatasync(fd, (error) => (error === null ? resolve() : reject(error))),
    );
  }
}
