import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MIRROR = 'http://deb.debian.org/debian';
const SUITE = 'bookworm';

/**
 * A minimal Debian 12 in a new folder below the temporary folder, with these packages added; or a copy of `given`, a
 * folder that debootstrap has already filled. Needs root and debootstrap.
 */
export function makeDebianRoot(prefix: string, packages: readonly string[], given: string | undefined): string {
  const root = mkdtempSync(join(tmpdir(), prefix));
  // The top folder of a system can be entered by all of its users.
  chmodSync(root, 0o755);
  if (given === undefined) debootstrap(root, packages);
  else execFileSync('cp', ['-a', `${given}/.`, root], { stdio: ['ignore', 'ignore', 'inherit'] });
  return root;
}

/** `options`: further options of debootstrap(8). */
export function debootstrap(root: string, packages: readonly string[], ...options: string[]): void {
  const include = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
  execFileSync('debootstrap', [...options, '--variant=minbase', ...include, SUITE, root, MIRROR], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Throws while something is mounted in the folder: deleting would reach through the mount. */
export function removeDebianRoot(root: string): void {
  if (readFileSync('/proc/mounts', 'utf8').includes(` ${root}`)) throw new Error(`something is mounted in ${root}`);
  rmSync(root, { recursive: true });
}
