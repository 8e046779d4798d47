import { constants } from 'node:fs';
import { access, chmod, mkdtemp, readFile, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';

/**
 * Tests write much that no test reads after its process: vaults, journals, queues, each flushed to the disk many times.
 * In memory the same calls are made and the same files result, and half of the waiting is gone. The effects of a disk
 * have tests of their own, which bring their disk (mounts.ts) or replay recorded calls (test/faults/power).
 */
const PLACE = '/dev/shm';
const ROOM_BYTES_MIN = 4 * 1024 ** 3;

/** A new folder in memory, or null where there is none that is large enough and lets programs run. */
export async function memoryFolder(): Promise<string | null> {
  if (!mayRunPrograms(await readFile('/proc/mounts', 'utf8').catch(() => ''))) return null;
  try {
    await access(PLACE, constants.W_OK);
    const { bavail, bsize } = await statfs(PLACE);
    if (Math.min(bavail * bsize, freemem()) < ROOM_BYTES_MIN) return null;
    // A short name: the paths of sockets may have about a hundred bytes.
    const folder = await mkdtemp(join(PLACE, 's-'));
    // Open to all, as /tmp is: databases run as users of their own and put temporary files beside their folders.
    await chmod(folder, 0o1777);
    return folder;
  } catch {
    return null;
  }
}

/** Containers often mount it with noexec, or as a plain folder; the tests start programs out of such folders. */
export function mayRunPrograms(mounts: string): boolean {
  const [, , type, options] = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, path]) => path === PLACE) ?? ['', '', '', ''];
  return type === 'tmpfs' && !(options ?? '').split(',').some((option) => option === 'noexec' || option === 'ro');
}
