import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/**
 * The disk of the data folder, from full to empty, by what is free:
 * below twice `diskReserveBytes` an alarm names who wrote most; below the reserve nothing more is stored for callers;
 * below BALLAST_RELEASE_BYTES the ballast is given up; below JOURNAL_KEEPS_FREE_BYTES the gateway's journal stops, and
 * with it every keyed call, so that the host can still record what people do to make room.
 */
const MIB = 1024 ** 2;
/** Kept in a file that is removed when the disk is nearly full. */
export const BALLAST_BYTES = 64 * MIB;
export const BALLAST_RELEASE_BYTES = 16 * MIB;
/** Created again when this much is free: with a margin, so that it is not released again at once. */
export const BALLAST_MAKE_BYTES = BALLAST_BYTES + 2 * BALLAST_RELEASE_BYTES;
/** Space that the gateway's journal leaves for the host's journal, vault and project store. */
export const JOURNAL_KEEPS_FREE_BYTES = 4 * MIB;

/** Free bytes for this user on the disk of a folder; null where that cannot be found out. */
export function freeBytesOf(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** The same, without waiting for a disk that hangs. */
export async function freeBytesSoon(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
