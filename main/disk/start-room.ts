import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BALLAST_RELEASE_BYTES, freeBytesOf } from '#common/node/disk-space.ts';
import type { Logger } from '#common/node/log.ts';
import { createBallast } from './ballast.ts';

/** Made anew by themselves: compiled code and the journal's search index. */
const REBUILDABLE = ['cache', 'journal/index.sqlite', 'journal/index.sqlite-wal', 'journal/index.sqlite-shm'];

/**
 * Opening the databases of a data folder needs some space, and a full disk must not keep the service from starting:
 * it is the admin UI with which files are deleted. Removes the ballast when little is free, then what can be rebuilt.
 * `full`: little is free all the same; nothing that can be rebuilt should be written then.
 */
export function makeRoomToStart(dataDir: string, log: Logger): { full: boolean } {
  if (!hasLess(dataDir, BALLAST_RELEASE_BYTES)) return { full: false };
  if (createBallast(dataDir).release()) log.error('the disk is full: the ballast was removed so that Sluice can start');
  if (!hasLess(dataDir, BALLAST_RELEASE_BYTES)) return { full: false };
  for (const name of REBUILDABLE) rmSync(join(dataDir, name), { recursive: true, force: true });
  log.error('the disk is full: what can be rebuilt was removed so that Sluice can start', {
    removed: REBUILDABLE,
    freeBytes: freeBytesOf(dataDir),
  });
  return { full: true };
}

function hasLess(folder: string, bytes: number): boolean {
  const free = freeBytesOf(folder);
  return free !== null && free < bytes;
}
