import { constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { PRIVATE_FILE_MODE } from '#common/node/private-files.ts';
import { NodeError } from '#sdk';
import { type FolderHandle, statOf } from './folder-handle.ts';
import { ownName } from './entries.ts';

/** Size limit of one file in bytes. */
export const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** Without O_NONBLOCK, opening a FIFO waits for its other end. Windows has neither this flag nor FIFOs in folders. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a regular file, with the size at the time of opening. Throws NodeError. */
export async function readWhole(folder: FolderHandle, name: string): Promise<Uint8Array> {
  const stats = await statOf(folder.at(name));
  if (stats === null) throw new NodeError('file_unknown', 'there is no such file');
  // Checked before it is opened: opening a device can have side effects.
  if (!stats.isFile()) throw notRegular();
  const file = await open(folder.at(name), READ_FLAGS);
  try {
    await folder.confirm(name, file);
    return await readRegular(file);
  } finally {
    await file.close();
  }
}

async function readRegular(file: FileHandle): Promise<Uint8Array> {
  const { size, nlink, mode } = await file.stat();
  if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw notRegular();
  // The path of the other hard link is unknown; it may be outside.
  if (nlink > 1) throw new NodeError('file_not_regular', 'the file has a second name (a hard link), maybe elsewhere');
  if (size > FILE_BYTES_MAX) throw tooLarge(size);
  const bytes = new Uint8Array(size);
  let filled = 0;
  for (let read = -1; read !== 0 && filled < size; filled += read)
    read = (await file.read(bytes, filled, size - filled, filled)).bytesRead;
  return bytes.subarray(0, filled);
}

/**
 * Replaces or creates a file atomically: a new file beside it, flushed, then renamed. The old file is never opened, so
 * a hard link to a file outside is removed and not written through.
 */
export async function writeWhole(folder: FolderHandle, name: string, bytes: Uint8Array): Promise<void> {
  const fresh = ownName();
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const file = await open(folder.at(fresh), flags, PRIVATE_FILE_MODE);
  try {
    await fill(folder, fresh, file, bytes);
    await folder.check();
    await rename(folder.at(fresh), folder.at(name));
  } catch (error) {
    await unlink(folder.at(fresh)).catch(() => undefined);
    throw error;
  }
  await folder.sync();
}

async function fill(folder: FolderHandle, fresh: string, file: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await folder.confirm(fresh, file);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

export function tooLarge(bytes: number): NodeError {
  return new NodeError('file_too_large', `expected a file of at most ${FILE_BYTES_MAX} bytes; it has ${bytes}`);
}

export function notRegular(): NodeError {
  return new NodeError('file_not_regular', 'it is no file, but a folder, a link, a pipe or a device');
}
