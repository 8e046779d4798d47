import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Outside the repository, kept between runs: Debian systems, Node and npm (`layers`), the packages that npm and apt
 * fetched, logs and results. About 2 GB; it can be deleted at any time.
 */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sluice-machines');

/** A folder in the cache, created if it does not exist. */
export function cacheFolder(...names: string[]): string {
  const folder = join(CACHE, ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}
