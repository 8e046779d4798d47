import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/**
 * Thresholds of free space on the disk of the data folder. Below twice `diskReserveBytes` an alarm names the largest
 * writers; below the reserve nothing more is stored for callers; below BALLAST_RELEASE_BYTES the ballast is released;
 * below JOURNAL_KEEPS_FREE_BYTES the gateway's journal stops, and with it every call with a key, so that the host can
 * still record the actions of users who free space.
 */
const MIB = 1024 ** 2;
/** The size of a file that is removed when the disk is nearly full. */
export const BALLAST_BYTES = 64 * MIB;
export const BALLAST_RELEASE_BYTES = 16 * MIB;
/** The ballast is created again above this free space: with a margin, so that it is not released again immediately. */
export const BALLAST_MAKE_BYTES = BALLAST_BYTES + 2 * BALLAST_RELEASE_BYTES;
/** Space that the gateway's journal leaves free for the host's journal, vault and project store. */
export const JOURNAL_KEEPS_FREE_BYTES = 4 * MIB;

/** Free bytes for this user on the disk of a folder; null if unknown. */
export function freeBytesOf(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** The same, without waiting for a hanging disk. */
export async function freeBytesSoon(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
