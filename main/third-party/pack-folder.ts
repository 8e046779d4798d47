import { type Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from 'tar';
import { PLUGIN_BYTES_MAX, PLUGIN_FILES_MAX } from '#common/model/plugin-manifest.ts';
import { errorCode } from '#common/node/atomic-file.ts';
import { ARCHIVE_BYTES_MAX, DEPTH_MAX, refuse, tooLarge } from './read-package.ts';

/**
 * A plugin on this machine, as the bytes of a `.tgz`, which the command line sends to a host without access to the
 * path. A folder is packed; an archive is sent unchanged. The limits are the same as in `readArchive`, which checks
 * everything again; here, errors are detected early and name the path.
 *
 * Throws SluiceError `invalid`.
 */
export async function packageArchiveAt(path: string): Promise<Uint8Array> {
  const entry = await onDisk(path, () => lstat(path));
  if (entry.isDirectory()) return packed(path);
  if (!entry.isFile()) throw refuse(`${path.slice(0, 200)} is neither a folder nor a file`);
  if (entry.size > ARCHIVE_BYTES_MAX) throw tooLarge();
  return onDisk(path, () => readFile(path));
}

async function packed(folder: string): Promise<Uint8Array> {
  const names: string[] = [];
  await listInto({ names, bytes: 0 }, folder, '', 0);
  if (names.length === 0) throw refuse(`the folder ${folder.slice(0, 200)} has no files`);
  const options = { cwd: folder, gzip: true, portable: true, strict: true };
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  await onDisk(folder, async () => {
    for await (const piece of create(options, names)) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > ARCHIVE_BYTES_MAX) throw tooLarge();
    }
  });
  return Buffer.concat(pieces);
}

interface Found {
  names: string[];
  bytes: number;
}

async function listInto(found: Found, folder: string, prefix: string, depth: number): Promise<void> {
  if (depth >= DEPTH_MAX) throw refuse(`${prefix} is too deep; expected at most ${DEPTH_MAX} folders in each other`);
  for (const entry of await onDisk(folder, () => readdir(folder, { withFileTypes: true }))) {
    // Version control and editors leave these files in the folder.
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) await listInto(found, join(folder, entry.name), `${prefix}${entry.name}/`, depth + 1);
    else await listFile(found, folder, prefix, entry);
  }
}

async function listFile(found: Found, folder: string, prefix: string, entry: Dirent): Promise<void> {
  const path = prefix + entry.name;
  if (!entry.isFile()) throw refuse(`${path} is a link or a device; expected regular files only`);
  // The packer would interpret it as the name of another archive.
  if (path.startsWith('@')) throw refuse(`"${path.slice(0, 200)}" is not a file name that a plugin may have`);
  if (found.names.length >= PLUGIN_FILES_MAX)
    throw refuse(`it has more than ${PLUGIN_FILES_MAX} files; expected one bundled file`);
  found.names.push(path);
  found.bytes += (await onDisk(path, () => lstat(join(folder, entry.name)))).size;
  if (found.bytes > PLUGIN_BYTES_MAX) throw tooLarge();
}

async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT')
      throw refuse(`there is nothing at ${path.slice(0, 200)}; expected a folder or a .tgz file`, cause);
    if (/^E[A-Z]+$/.test(code)) throw refuse(`${path.slice(0, 200)} cannot be read (${code})`, cause);
    throw cause;
  }
}
