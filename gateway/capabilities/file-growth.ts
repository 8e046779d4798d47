import { stat } from 'node:fs/promises';
import type { DiskWriterKind } from '#common/control/messages.ts';
import type { Logger } from '#common/node/log.ts';
import { type DiskRoom, LOOK_MS } from './disk-meter.ts';

/** Free space above which a project is reported to have space again. */
const ROOM_AGAIN_BYTES = 1024 ** 2;

export interface FileGrowthOptions {
  /** An SQLite file with the data of all projects. */
  readonly file: string;
  readonly kind: DiskWriterKind;
  readonly disk: Pick<DiskRoom, 'room' | 'note' | 'charge'>;
  readonly log: Logger;
  /** For tests. */
  readonly lookMs?: number;
}

/**
 * Divides the growth of a shared file among the projects that stored data in it, once per second, in proportion to the
 * amounts. Reuse of freed space in the file is charged to nobody.
 */
export class FileGrowth {
  readonly #options: FileGrowthOptions;
  readonly #timer: NodeJS.Timeout;
  /** Bytes since the last check. */
  #stored = new Map<string, number>();
  readonly #refused = new Set<string>();
  #size: number | null = null;
  #looking = false;

  constructor(options: FileGrowthOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.lookMs ?? LOOK_MS).unref();
    void this.#look();
  }

  /** Whether the project may store this many more bytes. */
  hasRoom(project: string, bytes: number): boolean {
    const { disk, log, kind } = this.#options;
    if (bytes + (this.#stored.get(project) ?? 0) <= disk.room(project)) return true;
    if (!this.#refused.has(project))
      log.error('a project can store no more data here: its share of the disk is used up', {
        project,
        kind,
      });
    this.#refused.add(project);
    return false;
  }

  add(project: string, bytes: number, pipeline = ''): void {
    this.#options.disk.note(project, this.#options.kind, bytes, pipeline);
    this.#stored.set(project, (this.#stored.get(project) ?? 0) + bytes);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    // A hanging disk is queried only once at a time.
    if (this.#looking) return;
    this.#looking = true;
    const stored = this.#stored;
    this.#stored = new Map();
    const size = await sizeOf(this.#options.file);
    if (this.#size !== null) this.#divide(size - this.#size, stored);
    this.#size = size;
    this.#looking = false;
    this.#tellRoomAgain();
  }

  #divide(growth: number, stored: ReadonlyMap<string, number>): void {
    if (growth <= 0) return;
    const total = stored.values().reduce((sum, bytes) => sum + bytes, 0);
    for (const [project, bytes] of stored) this.#options.disk.charge(project, Math.round((growth * bytes) / total));
  }

  #tellRoomAgain(): void {
    const { disk, log, kind } = this.#options;
    for (const project of this.#refused) {
      if (disk.room(project) < ROOM_AGAIN_BYTES) continue;
      this.#refused.delete(project);
      log.info('a project may store here again: the disk has room for it', { project, kind });
    }
  }
}

/** Bytes of the file and its WAL; 0 if it does not exist. */
async function sizeOf(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
