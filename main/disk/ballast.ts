import { randomBytes } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_FILE_MODE } from '#common/node/private-files.ts';
import { BALLAST_BYTES } from '#common/node/disk-space.ts';

export const BALLAST_FILE = 'ballast';
const PIECE_BYTES = 1024 ** 2;

/**
 * A file of `BALLAST_BYTES` without meaningful content. Removing it needs no space and frees space on a full disk for
 * the journals, the vault and the next start. Its bytes are random, because a file system may store zeros without using
 * space.
 */
export interface Ballast {
  /** Whether the complete file exists. */
  held(): boolean;
  /** False if the file did not exist. */
  release(): boolean;
  /** Rejects if there is not enough space; no part of the file remains then. */
  make(): Promise<void>;
}

export function createBallast(dataDir: string, bytes: number = BALLAST_BYTES): Ballast {
  const path = join(dataDir, BALLAST_FILE);
  const sizeOf = (): number | null => lstatSync(path, { throwIfNoEntry: false })?.size ?? null;

  async function write(): Promise<void> {
    const piece = randomBytes(PIECE_BYTES);
    // Created as a new file: a link that somebody placed there is not written through.
    rmSync(path, { force: true, recursive: true });
    const file = await open(path, 'wx', PRIVATE_FILE_MODE);
    try {
      for (let done = 0; done < bytes; done += piece.length)
        await file.write(piece, 0, Math.min(piece.length, bytes - done));
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  return {
    held: () => sizeOf() === bytes,
    release() {
      const held = sizeOf() !== null;
      rmSync(path, { force: true, recursive: true });
      return held;
    },
    async make() {
      try {
        await write();
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
    },
  };
}
