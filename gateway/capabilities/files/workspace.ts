/**
 * The workspace of a project: `<data>/projects/<project>/files/`, created with the first write.
 *
 * Order: the names in a path are checked (workspace-path.ts), its folders are entered one by one without following
 * links (folder-handle.ts), then the last name is used. Changes run one after the other, reads in parallel. Writes: a
 * new file beside the old one, flushed, renamed, the folder flushed: a crash leaves the old or the new. The remains of
 * interrupted writes are removed when the folder is counted, before the first change after a start. Limits:
 * FILE_BYTES_MAX, QUOTA_BYTES, ENTRIES_MAX, FOLDER_ENTRIES_MAX, READS_MAX at once, the limits of a path. Security: 0700
 * and 0600; only regular files with one hard link are read. A new name that differs from another one only in case (or
 * in Unicode composition) is refused everywhere, because the two are one file on Windows and macOS. Known weaknesses:
 * files that other programs add count from the next count on; while a backup keeps hard links to files, they cannot be
 * read; without `/proc` see folder-handle.ts.
 */
import { rmdir, unlink } from 'node:fs/promises';
import { makePrivateFolder } from '#common/node/private-files.ts';
import { NodeError } from '#sdk';
import { type FolderHandle, codeOf, type OpenFolderHandle, statOf } from './folder-handle.ts';
import { FILE_BYTES_MAX, notRegular, readWhole, tooLarge, writeWhole } from './disk-file.ts';
import { entriesOf, FOLDER_ENTRIES_MAX, isOwn, namesIn } from './entries.ts';
import { decodeFile, encodeFile, type FileFormat } from './formats.ts';
import { refuseEnded } from './refuse.ts';
import { Semaphore } from '../semaphore.ts';
import { Usage } from './usage.ts';
import { foldedName, folderNames, invalid, pathNames } from './workspace-path.ts';

/** Concurrent reads per project: each holds its file in memory. */
const READS_MAX = 8;

export interface FileEntry {
  name: string;
  folder: boolean;
  bytes: number;
  modifiedAt: string;
}

export interface WorkspaceParts {
  readonly root: string;
  readonly quotaBytes: number;
  readonly open: OpenFolderHandle;
  readonly disk: WorkspaceDisk;
}

/** Disk space that is available to this project. */
export interface WorkspaceDisk {
  /** Throws NodeError `disk_reserve`. */
  expectRoom(bytes: number): void;
  /** `pipeline` is missing if it is not known. */
  grew(bytes: number, pipeline?: string): void;
}

export interface FileToWrite {
  readonly path: string;
  readonly content: unknown;
  readonly format: FileFormat;
  readonly pipeline: string;
}

export class Workspace {
  readonly #root: string;
  readonly #open: OpenFolderHandle;
  readonly #usage: Usage;
  readonly #disk: WorkspaceDisk;
  readonly #reads = new Semaphore(READS_MAX);
  readonly #changes = new Semaphore(1);

  constructor({ root, quotaBytes, open, disk }: WorkspaceParts) {
    this.#root = root;
    this.#disk = disk;
    this.#open = open;
    this.#usage = new Usage(quotaBytes);
  }

  /** Counts the folder and removes the remains of a crash, once. */
  prepare(): Promise<void> {
    return this.#changes.run(() => this.#count());
  }

  read(path: string, format: FileFormat, signal: AbortSignal): Promise<unknown> {
    const names = pathNames(path);
    return this.#reads.run(async () => {
      refuseEnded(signal);
      const bytes = await this.#inside(names.slice(0, -1), (folder) => readWhole(folder, lastOf(names)));
      if (bytes === null) throw unknown();
      return decodeFile(bytes, format);
    }, signal);
  }

  list(path: string, signal: AbortSignal): Promise<FileEntry[]> {
    const names = folderNames(path);
    return this.#reads.run(async () => {
      refuseEnded(signal);
      const entries = await this.#inside(names, listOf);
      if (entries === null && names.length > 0) throw unknown();
      return entries ?? [];
    }, signal);
  }

  write({ path, content, format, pipeline }: FileToWrite, signal: AbortSignal): Promise<{ bytes: number }> {
    const names = pathNames(path);
    return this.#changes.run(async () => {
      refuseEnded(signal);
      const bytes = await encoded(content, format, signal);
      await this.#count();
      const root = (await this.#open(this.#root)) ?? (await this.#makeRoot());
      const grows = await descend(root, [], () => this.#put(root, names, bytes));
      this.#disk.grew(grows ?? 0, pipeline);
      return { bytes: bytes.length };
    }, signal);
  }

  /** The checks of `write` that need no change, and its result. */
  async checkWrite(
    { path, content, format }: Omit<FileToWrite, 'pipeline'>,
    signal: AbortSignal,
  ): Promise<{ bytes: number }> {
    pathNames(path);
    return { bytes: (await encoded(content, format, signal)).length };
  }

  /** Whether there is a file or folder of that path. */
  async has(path: string, signal: AbortSignal): Promise<boolean> {
    const names = pathNames(path);
    return this.#reads.run(async () => {
      refuseEnded(signal);
      const stats = await this.#inside(names.slice(0, -1), (folder) => statOf(folder.at(lastOf(names))));
      return stats !== null;
    }, signal);
  }

  /** Removes a file or an empty folder; false if it does not exist. */
  remove(path: string, signal: AbortSignal): Promise<boolean> {
    const names = pathNames(path);
    return this.#changes.run(async () => {
      refuseEnded(signal);
      await this.#count();
      const removed = await this.#inside(names.slice(0, -1), (folder) => this.#take(folder, lastOf(names)));
      return removed ?? false;
    }, signal);
  }

  async #count(): Promise<void> {
    if (this.#usage.counted) return;
    const root = await this.#open(this.#root);
    try {
      await this.#usage.count(root);
    } finally {
      await root?.close();
    }
  }

  /** Runs `work` in an existing folder; null if the folder does not exist. */
  async #inside<T>(names: readonly string[], work: (folder: FolderHandle) => Promise<T>): Promise<T | null> {
    const root = await this.#open(this.#root);
    if (root === null) return null;
    return descend(root, names, work);
  }

  async #makeRoot(): Promise<FolderHandle> {
    makePrivateFolder(this.#root);
    const root = await this.#open(this.#root);
    if (root === null) throw new Error('the workspace was removed while it was made');
    return root;
  }

  /** Bytes by which the workspace grew. */
  async #put(root: FolderHandle, names: readonly string[], bytes: Uint8Array): Promise<number> {
    await this.#makeFolders(names.slice(0, -1), root);
    const grows = await this.#inside(names.slice(0, -1), (folder) => this.#replace(root, folder, lastOf(names), bytes));
    if (grows === null) throw new NodeError('file_unknown', 'a folder on the way was removed meanwhile');
    return grows;
  }

  async #makeFolders(names: readonly string[], root: FolderHandle): Promise<void> {
    for (const [depth, name] of names.entries()) {
      const made = await this.#inside(names.slice(0, depth), async (folder) => {
        if ((await statOf(folder.at(name))) !== null) return false;
        await refuseNewName(folder, name);
        await this.#usage.allow(0, 1, root);
        await folder.makeFolder(name);
        await folder.sync();
        return true;
      });
      if (made === true) this.#usage.add(0, 1);
    }
  }

  async #replace(root: FolderHandle, folder: FolderHandle, name: string, bytes: Uint8Array): Promise<number> {
    const before = await statOf(folder.at(name));
    if (before === null) await refuseNewName(folder, name);
    else await refuseToReplace(folder, name, before.isFile());
    const grows = bytes.length - Number(before?.size ?? 0);
    const entries = before === null ? 1 : 0;
    await this.#usage.allow(grows, entries, root);
    // The old file is replaced only when the new one is complete.
    this.#disk.expectRoom(bytes.length);
    await writeWhole(folder, name, bytes);
    this.#usage.add(grows, entries);
    return grows;
  }

  async #take(folder: FolderHandle, name: string): Promise<boolean> {
    const stats = await statOf(folder.at(name));
    if (stats === null) return false;
    await folder.check(name);
    if (stats.isDirectory()) await removeFolder(folder, name);
    else if (stats.isFile()) await unlink(folder.at(name));
    else throw notRegular();
    await folder.sync();
    const freed = stats.isFile() ? Number(stats.size) : 0;
    this.#usage.add(-freed, -1);
    this.#disk.grew(-freed);
    return true;
  }
}

async function encoded(content: unknown, format: FileFormat, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = await encodeFile(content, format, signal);
  if (bytes.length > FILE_BYTES_MAX) throw tooLarge(bytes.length);
  return bytes;
}

/** Opens one folder after the other; each is closed when the work below it has ended. */
async function descend<T>(
  folder: FolderHandle,
  [name, ...below]: readonly string[],
  work: (folder: FolderHandle) => Promise<T>,
): Promise<T | null> {
  try {
    if (name === undefined) return await work(folder);
    const next = await folder.enter(name);
    return next === null ? null : await descend(next, below, work);
  } finally {
    await folder.close();
  }
}

async function listOf(folder: FolderHandle): Promise<FileEntry[]> {
  const names = (await namesIn(folder, FOLDER_ENTRIES_MAX)).filter((name) => !isOwn(name)).toSorted();
  const entries = await entriesOf(folder, names);
  await folder.check();
  return entries
    .filter(({ stats }) => stats.isFile() || stats.isDirectory())
    .map(({ name, stats }) => ({
      name,
      folder: stats.isDirectory(),
      bytes: stats.isFile() ? Number(stats.size) : 0,
      modifiedAt: stats.mtime.toISOString(),
    }));
}

async function refuseNewName(folder: FolderHandle, name: string): Promise<void> {
  const names = await namesIn(folder, FOLDER_ENTRIES_MAX - 1);
  const folded = foldedName(name);
  const other = names.find((one) => foldedName(one) === folded);
  if (other !== undefined)
    throw invalid(`there is ${JSON.stringify(other)} already, which is the same name on a system that ignores case`);
}

async function refuseToReplace(folder: FolderHandle, name: string, regular: boolean): Promise<void> {
  if (!regular) throw notRegular();
  await folder.check(name);
}

async function removeFolder(folder: FolderHandle, name: string): Promise<void> {
  try {
    await rmdir(folder.at(name));
  } catch (cause) {
    if (codeOf(cause) !== 'ENOTEMPTY' && codeOf(cause) !== 'EEXIST') throw cause;
    throw new NodeError('file_not_regular', 'the folder is not empty', { cause });
  }
}

function unknown(): NodeError {
  return new NodeError('file_unknown', 'there is no such file or folder');
}

function lastOf(names: readonly string[]): string {
  return names.at(-1) ?? '';
}
