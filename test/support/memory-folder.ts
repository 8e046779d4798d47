import { constants } from 'node:fs';
import { access, chmod, mkdtemp, readFile, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';

/**
 * Tests write many files that are not needed after their process: vaults, journals, queues, each flushed to the disk
 * many times. In memory the same calls result in the same files, and half of the waiting is avoided. The effects of a
 * disk are tested separately, with real disks (mounts.ts) or recorded calls (test/faults/power).
 */
const PLACE = '/dev/shm';
const ROOM_BYTES_MIN = 4 * 1024 ** 3;

/** A new folder in memory, or null if there is none that is large enough and allows programs to run. */
export async function memoryFolder(): Promise<string | null> {
  if (!mayRunPrograms(await readFile('/proc/mounts', 'utf8').catch(() => ''))) return null;
  try {
    await access(PLACE, constants.W_OK);
    const { bavail, bsize } = await statfs(PLACE);
    if (Math.min(bavail * bsize, freemem()) < ROOM_BYTES_MIN) return null;
    // A short name: the paths of sockets are limited to about a hundred bytes.
    const folder = await mkdtemp(join(PLACE, 's-'));
    // Open to all, like /tmp: databases run as their own users and put temporary files beside their folders.
    await chmod(folder, 0o1777);
    return folder;
  } catch {
    return null;
  }
}

/** Containers often mount it with noexec, or as a plain folder; the tests start programs from such folders. */
export function mayRunPrograms(mounts: string): boolean {
  const [, , type, options] = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, path]) => path === PLACE) ?? ['', '', '', ''];
  return type === 'tmpfs' && !(options ?? '').split(',').some((option) => option === 'noexec' || option === 'ro');
}
