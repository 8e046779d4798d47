/**
 * A folder of the workspace, opened so that a name in it cannot lead elsewhere (docs/spec/capabilities.md#files).
 * Folders are entered one name at a time from the root, and links (symbolic ones, junctions) are never followed,
 * whatever their target.
 *
 * Linux: each folder is kept open by its descriptor and the next name is looked up below `/proc/self/fd/<n>`, with
 * O_NOFOLLOW. A folder that is swapped for a link in between is not used: there is no time between check and use. On
 * other systems Node cannot look up names below a descriptor. There the real path of the folder must be exactly the
 * requested path (which also refuses short names and a different case), and after a file is opened the path must still
 * be real and lead to that file. The remaining risk: a program that can write to the data folder and swaps a folder for
 * a link and back at the exact moments of use and check may list another folder, create, replace or remove a file
 * there, or read one (CHECKS repetitions make that rare, not impossible). Pipelines cannot create links.
 */
import { type BigIntStats, constants, realpath } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PRIVATE_FOLDER_MODE } from '#common/node/private-files.ts';
import { NodeError } from '#sdk';

/** Returns the true case and long names on Windows and macOS, which the other function does not. */
const nativeRealpath = promisify(realpath.native);

export interface FolderHandle {
  /** The path of a name in this folder, for system calls that do not follow a link at its end. */
  at(name: string): string;
  /** The folder of that name; null if there is none. Throws NodeError `file_not_regular` for anything else. */
  enter(name: string): Promise<FolderHandle | null>;
  makeFolder(name: string): Promise<void>;
  /** Throws unless the opened file is in this folder. */
  confirm(name: string, file: FileHandle): Promise<void>;
  /** Throws unless the folder, or the entry with that name, still has the same place and spelling. */
  check(name?: string): Promise<void>;
  /** Flushes the directory to disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type OpenFolderHandle = (folder: string) => Promise<FolderHandle | null>;

/** Opens the root folder; null if it does not exist. */
export const openFolderHandle: OpenFolderHandle = process.platform === 'linux' ? openByDescriptor : openByPath;

/** A path that is checked once can be another one during the use and itself again during the check. */
const CHECKS = 4;
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

export async function openByDescriptor(folder: string): Promise<FolderHandle | null> {
  const handle = await openFolder(folder);
  return handle === null ? null : new DescriptorAnchor(handle);
}

async function openFolder(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, FOLDER_FLAGS);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    // With O_NOFOLLOW and O_DIRECTORY, a link results in ENOTDIR or ELOOP.
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP') throw notFolder(error);
    throw error;
  }
}

class DescriptorAnchor implements FolderHandle {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  at(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }

  enter(name: string): Promise<FolderHandle | null> {
    return openByDescriptor(this.at(name));
  }

  makeFolder(name: string): Promise<void> {
    return makeFolder(this.at(name));
  }

  confirm(): Promise<void> {
    return Promise.resolve();
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** By path, with the checks above; for systems without `/proc`. */
export async function openByPath(folder: string): Promise<FolderHandle | null> {
  const stats = await statOf(folder);
  if (stats === null) return null;
  if (!stats.isDirectory()) throw notFolder();
  return new PathAnchor(await nativeRealpath(folder));
}

class PathAnchor implements FolderHandle {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  at(name: string): string {
    return join(this.#path, name);
  }

  async enter(name: string): Promise<FolderHandle | null> {
    const path = this.at(name);
    const stats = await statOf(path);
    if (stats === null) return null;
    if (!stats.isDirectory()) throw notFolder();
    if (!(await isReal(path))) throw changed();
    return new PathAnchor(path);
  }

  makeFolder(name: string): Promise<void> {
    return makeFolder(this.at(name));
  }

  async confirm(name: string, file: FileHandle): Promise<void> {
    const path = this.at(name);
    const opened = await file.stat({ bigint: true });
    for (let i = 0; i < CHECKS; i++) {
      const named = await statOf(path);
      if (named === null || opened.dev !== named.dev || opened.ino !== named.ino || !(await isReal(path)))
        throw changed();
    }
  }

  async check(name?: string): Promise<void> {
    if (!(await isReal(name === undefined ? this.#path : this.at(name)))) throw changed();
  }

  /** Windows cannot flush a folder; the log of the file system has this role. */
  sync(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function isReal(path: string): Promise<boolean> {
  try {
    return (await nativeRealpath(path)) === path;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, PRIVATE_FOLDER_MODE);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** The stats of the entry itself, without following links; null if there is none. */
export async function statOf(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function changed(): NodeError {
  return new NodeError('file_not_regular', 'a name on the way is a link, is spelled otherwise or was just changed');
}

function notFolder(cause?: unknown): NodeError {
  const message = 'a name on the way is no folder; links are not followed';
  return new NodeError('file_not_regular', message, cause === undefined ? undefined : { cause });
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
