import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BALLAST_RELEASE_BYTES, freeBytesOf } from '#common/node/disk-space.ts';
import type { Logger } from '#common/node/log.ts';
import { createBallast } from './ballast.ts';

/** The compile cache, a few MiB; the next gateway creates it again. */
export const CACHE_FOLDER = 'cache';
/** Created again automatically: the compile cache and the search index of the journal. */
const REBUILDABLE = [CACHE_FOLDER, 'journal/index.sqlite', 'journal/index.sqlite-wal', 'journal/index.sqlite-shm'];

/** For a running host, which has the search index open; false if there was nothing to remove. */
export function removeCache(dataDir: string): boolean {
  const cache = join(dataDir, CACHE_FOLDER);
  const found = existsSync(cache);
  rmSync(cache, { recursive: true, force: true });
  return found;
}

/**
 * Opening the databases of a data folder needs some space, and a full disk must not prevent the service from starting,
 * because files are deleted in the admin UI. Removes the ballast if little is free, then everything that can be
 * rebuilt. `full`: little is free nevertheless; nothing that can be rebuilt should be written then.
 */
export function makeRoomToStart(dataDir: string, log: Logger): { full: boolean } {
  if (!hasLess(dataDir, BALLAST_RELEASE_BYTES)) return { full: false };
  if (createBallast(dataDir).release()) log.error('the disk is full: the ballast was removed so that Sluice can start');
  if (!hasLess(dataDir, BALLAST_RELEASE_BYTES)) return { full: false };
  for (const name of REBUILDABLE) rmSync(join(dataDir, name), { recursive: true, force: true });
  log.error('the disk is full: rebuildable files were removed so that Sluice can start', {
    removed: REBUILDABLE,
    freeBytes: freeBytesOf(dataDir),
  });
  return { full: true };
}

function hasLess(folder: string, bytes: number): boolean {
  const free = freeBytesOf(folder);
  return free !== null && free < bytes;
}
