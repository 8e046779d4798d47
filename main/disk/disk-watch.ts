import { BALLAST_MAKE_BYTES, BALLAST_RELEASE_BYTES, freeBytesSoon } from '#common/node/disk-space.ts';
import type { Logger } from '#common/node/log.ts';
import type { Ballast } from './ballast.ts';
import { removeCache } from './start-room.ts';

/** How often the free space is measured. */
const LOOK_MS = 1_000;
/** Created after a delay, so that writing it does not slow down the first start. */
const BALLAST_AFTER_MS = 60_000;
const BALLAST_RETRY_MS = 60_000;
/** A level ends only when its limit is exceeded by this factor, as a hysteresis. */
const MARGIN = 1.1;

/** `low`: less than twice the reserve; `reserve`: less than the reserve; `full`: the ballast is released. */
export type DiskLevel = 'ok' | 'low' | 'reserve' | 'full';

export interface DiskWatch {
  readonly level: DiskLevel;
  /** Removes the ballast, or else the compile cache, after a failed write; false if neither existed. */
  makeRoom(): boolean;
  close(): void;
}

export interface DiskWatchOptions {
  readonly dataDir: string;
  readonly ballast: Ballast;
  readonly reserveBytes: () => number;
  readonly onChange: () => void;
  readonly log: Logger;
  /** For tests. */
  readonly freeBytes?: () => Promise<number | null>;
  readonly lookMs?: number;
  readonly ballastAfterMs?: number;
}

/** Watches the disk of the data folder and maintains the ballast. A hanging check is not repeated. */
export function createDiskWatch(options: DiskWatchOptions): DiskWatch {
  const { dataDir, ballast, reserveBytes, onChange, log } = options;
  const { freeBytes = () => freeBytesSoon(dataDir), lookMs = LOOK_MS } = options;
  let level: DiskLevel = 'ok';
  let looking = false;
  let stuck = false;
  let makeAtMs = performance.now() + (options.ballastAfterMs ?? BALLAST_AFTER_MS);
  const timer = setInterval(() => void look(), lookMs).unref();
  void look();

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const free = await freeBytes();
      if (free === null) return;
      if (free < BALLAST_RELEASE_BYTES) releaseBallast();
      settle(levelOf(free, reserveBytes(), level));
      if (free >= BALLAST_MAKE_BYTES && performance.now() >= makeAtMs && !ballast.held()) await make();
    } finally {
      looking = false;
    }
  }

  function settle(next: DiskLevel): void {
    if (next === level) return;
    log[next === 'ok' ? 'info' : 'warn']('the free space of the disk has another level', { level: next });
    level = next;
    onChange();
  }

  async function make(): Promise<void> {
    makeAtMs = performance.now() + BALLAST_RETRY_MS;
    await ballast.make().catch((error: unknown) => log.warn('the ballast could not be written', { error }));
  }

  function releaseBallast(): boolean {
    makeAtMs = performance.now() + BALLAST_RETRY_MS;
    try {
      const released = ballast.release();
      if (released) log.error('the disk is nearly full: the ballast was removed');
      return released;
    } catch (error) {
      // Such as a disk that has become read-only. Logged once: this is retried with every check.
      if (!stuck) log.error('the ballast could not be removed', { error });
      stuck = true;
      return false;
    }
  }

  return {
    get level() {
      return level;
    },
    makeRoom: () => releaseBallast() || removeCache(dataDir),
    close: () => clearInterval(timer),
  };
}

function levelOf(free: number, reserve: number, before: DiskLevel): DiskLevel {
  const less = (than: number, levels: readonly DiskLevel[]): boolean =>
    free < (levels.includes(before) ? than * MARGIN : than);
  // The released ballast counts as free: the disk is full until there is enough space to create it again.
  if (free < (before === 'full' ? BALLAST_MAKE_BYTES : BALLAST_RELEASE_BYTES)) return 'full';
  if (less(reserve, ['reserve', 'full'])) return 'reserve';
  return less(2 * reserve, ['low', 'reserve', 'full']) ? 'low' : 'ok';
}
