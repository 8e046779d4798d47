import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '#common/node/log.ts';
import { DISK_MARGIN_BYTES } from './limits.ts';

export interface DiskGuardOptions {
  /** On the same disk; used while the file does not exist yet. */
  readonly file: string;
  readonly reserveBytes: () => number;
  readonly everyMs: number;
  readonly log: Logger;
}

/**
 * Stops recording while the disk has less free space than the reserve; checks every `everyMs`. Recording continues
 * until the first check, and if the check fails: the writer handles errors of the disk.
 */
export class DiskGuard {
  readonly #options: DiskGuardOptions;
  readonly #timer: NodeJS.Timeout;
  #full = false;
  #looking = false;

  constructor(options: DiskGuardOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.everyMs);
    void this.#look();
  }

  get full(): boolean {
    return this.#full;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    // A hanging disk is queried only once at a time.
    if (this.#looking) return;
    this.#looking = true;
    try {
      const { bavail, bsize } = await this.#space();
      this.#judge(bavail * bsize);
    } catch (error) {
      this.#options.log.debug('the free space of the history’s disk is unknown', { error });
    } finally {
      this.#looking = false;
    }
  }

  #space(): Promise<StatsFs> {
    const { file } = this.#options;
    return statfs(file).catch(() => statfs(dirname(file)));
  }

  #judge(freeBytes: number): void {
    const { log, reserveBytes } = this.#options;
    const reserve = reserveBytes();
    const full = freeBytes < reserve + (this.#full && reserve > 0 ? DISK_MARGIN_BYTES : 0);
    if (full === this.#full) return;
    this.#full = full;
    const fields = { freeBytes, reserveBytes: reserve };
    if (full) log.error('the history is not recorded: the disk has less free space than the reserve', fields);
    else log.info('the history is recorded again: the disk has free space', fields);
  }
}
