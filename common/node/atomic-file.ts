import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRIVATE_FILE_MODE } from './private-files.ts';

/**
 * Replaces a file atomically (docs/spec/storage.md#vault): after a crash at any moment, the file has either the old or
 * the new content.
 *
 * Steps: write `<path>.new`, flush it, read it back and compare, keep the current file as `previous` if requested,
 * rename, flush the folder. If a step fails, the old file is restored and the error is thrown.
 *
 * Limits: one writer per path (ensured by the lock of the data folder); the content is held in memory twice. Known
 * weaknesses: the read-back may come from the kernel's cache rather than the disk; Windows cannot flush a folder and
 * relies on the log of NTFS instead.
 */
export interface AtomicWriteOptions {
  /** Path for a copy of the replaced file; it also always has a complete content. */
  previous?: string;
  /** Tests replace the disk operations to simulate a crash. */
  files?: FileEdge;
}

/** The disk operations of the writer. Every call either succeeds or throws. */
export interface FileEdge {
  /** Creates a private file with these bytes and flushes it to disk. */
  create(path: string, bytes: Uint8Array): Promise<void>;
  read(path: string): Promise<Uint8Array>;
  /** Creates a hard link to the file; false if the file does not exist. */
  link(from: string, to: string): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
  /** A missing file counts as removed. */
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}

export async function replaceFile(path: string, bytes: Uint8Array, options: AtomicWriteOptions = {}): Promise<void> {
  const { files = diskEdge, previous } = options;
  const fresh = `${path}.new`;
  let renamed = false;
  try {
    await files.remove(fresh);
    await files.create(fresh, bytes);
    await verify(files, fresh, bytes);
    if (previous !== undefined) await keep(files, path, previous);
    await files.rename(fresh, path);
    renamed = true;
    await files.syncFolder(dirname(path));
  } catch (error) {
    await undo(files, { path, fresh, previous: renamed ? previous : undefined });
    throw error;
  }
}

async function verify(files: FileEdge, path: string, bytes: Uint8Array): Promise<void> {
  if (Buffer.compare(await files.read(path), bytes) === 0) return;
  throw new Error(`what was read back from ${path} differs from what was written`);
}

/** Uses a hard link and a rename, so that neither `path` nor `previous` is ever missing. */
async function keep(files: FileEdge, path: string, previous: string): Promise<void> {
  const fresh = `${previous}.new`;
  await files.remove(fresh);
  if (await files.link(path, fresh)) await moveLink(files, fresh, previous);
}

/** A rename onto a hard link to the same file does nothing and leaves both names (POSIX rename). */
async function moveLink(files: FileEdge, from: string, to: string): Promise<void> {
  await files.rename(from, to);
  await files.remove(from);
}

/** Best effort: the original error is the one to report. */
async function undo(files: FileEdge, at: { path: string; fresh: string; previous: string | undefined }): Promise<void> {
  try {
    await files.remove(at.fresh);
    if (at.previous === undefined) return;
    if (await files.link(at.previous, at.fresh)) await moveLink(files, at.fresh, at.path);
    await files.syncFolder(dirname(at.path));
  } catch {
    // No further repair is possible: the path has a complete content, old or new.
  }
}

export const diskEdge: FileEdge = {
  async create(path, bytes) {
    const file = await open(path, 'wx', PRIVATE_FILE_MODE);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  read: (path) => readFile(path),
  async link(from, to) {
    try {
      await link(from, to);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      if (!lacksLinks(error)) throw error;
    }
    await diskEdge.create(to, await readFile(from));
    return true;
  },
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  async syncFolder(path) {
    if (process.platform === 'win32') return;
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};

/** A file system without hard links (FAT, some network shares): use a copy. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/** True if a link failed because of the file system, not because of the file. */
export function lacksLinks(error: unknown): boolean {
  return NO_LINKS.has(errorCode(error));
}

/** The `code` of a system error, or ''. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
