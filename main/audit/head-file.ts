import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errorCode, replaceFile } from '#common/node/atomic-file.ts';

/**
 * The file outside the data folder to which heads of the journal are appended, such as on a share. It is opened only
 * for each access, because a share may be temporarily unavailable.
 *
 * Limits: its last `HEAD_READ_BYTES` are read; beyond `HEAD_FILE_BYTES_MAX` it is replaced by these.
 */
export const HEAD_FILE_BYTES_MAX = 1024 * 1024;
export const HEAD_READ_BYTES = 64 * 1024;

/** Does not wait for a reader or writer of a pipe; a link in place of the file is not followed. */
const FLAGS = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The newest lines; null: the file does not exist. Throws if it is not a regular file or cannot be read. */
export async function readHeadFile(path: string): Promise<string | null> {
  const file = await opened(path, constants.O_RDONLY);
  if (file === null) return null;
  try {
    return await tailOf(file);
  } finally {
    await file.close();
  }
}

/** Synced when it resolves. `create`: only a new file; otherwise only an existing one. */
export async function appendHead(path: string, line: string, { create }: { create: boolean }): Promise<void> {
  const mode = create ? constants.O_CREAT | constants.O_EXCL : 0;
  const file = await opened(path, constants.O_RDWR | constants.O_APPEND | mode);
  if (file === null) throw new Error('the file was removed');
  let all: string | null = null;
  try {
    const tail = await tailOf(file);
    // A new line begins after a truncated one.
    const added = tail === '' || tail.endsWith('\n') ? line : `\n${line}`;
    if ((await file.stat()).size > HEAD_FILE_BYTES_MAX) all = tail + added;
    else {
      await file.appendFile(added);
      await file.sync();
    }
  } finally {
    await file.close();
  }
  if (all !== null) await replaceFile(path, Buffer.from(all));
}

async function opened(path: string, flags: number): Promise<FileHandle | null> {
  try {
    const file = await open(path, flags | FLAGS, 0o600);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && (flags & constants.O_CREAT) === 0) return null;
    throw error;
  }
  throw new Error('it is a folder or a device; expected a file');
}

/** Whole lines, unless the last one was truncated. */
async function tailOf(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const from = Math.max(0, size - HEAD_READ_BYTES);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const text = buffer.toString('utf8', 0, bytesRead);
  return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
}
