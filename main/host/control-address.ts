import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The limit for paths of Unix sockets is 108 bytes (104 on macOS), including the terminating zero. */
const SOCKET_PATH_BYTES_MAX = 100;

/**
 * The address on which the running host of a data folder listens for the command line: a socket in the folder or, if
 * that path is too long, in a folder of the user below the temporary folder. On Windows a named pipe, which Node opens
 * only to its own user.
 */
export function controlAddress(dataDir: string): { path: string; folder: string | null } {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 32);
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\sluice-${name}`, folder: null };
  const inData = join(dataDir, 'control.sock');
  if (Buffer.byteLength(inData) <= SOCKET_PATH_BYTES_MAX) return { path: inData, folder: null };
  const folder = join(tmpdir(), `sluice-${userInfo().uid}`);
  return { path: join(folder, `${name.slice(0, 16)}.sock`), folder };
}

/**
 * In the temporary folder, another user may have created one with that name first, with a socket that collects
 * passwords.
 */
export function isOwnFolder(folder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false });
  return entry !== undefined && entry.isDirectory() && entry.uid === userInfo().uid && (entry.mode & 0o077) === 0;
}
