import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#common/node/atomic-file.ts';
import { PROJECT_FILE_BYTES_MAX } from '#common/model/project-file.ts';
import { FOLDER_MARK, FOLDER_PARTS, type FolderFiles } from '#common/model/project-folder.ts';
import { fileTrouble, isSystemError } from './file-trouble.ts';
import { PlainError } from './plain-error.ts';

/**
 * The files of a project's folder (common/model/project-folder.ts) on the disk. No symbolic link is followed, because a
 * folder may come from somebody else.
 *
 * Limits: FOLDER_FILES_MAX files, PROJECT_FILE_BYTES_MAX bytes together.
 */
export const FOLDER_FILES_MAX = 50_000;

/** The values of lines (line-table.ts), beside the files of the form. */
export const LINES_FILE = 'lines.csv';

/** By their paths in the folder. Throws PlainError with the path of a file that is refused. */
export async function readFolderFiles(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  let room = PROJECT_FILE_BYTES_MAX;
  for (const path of await pathsIn(folder)) {
    const bytes = await plainly(join(folder, path), () => readBytes(join(folder, path), room));
    room -= bytes.length;
    files.set(path, textOf(path, bytes));
  }
  return files;
}

export interface Written {
  written: number;
  deleted: number;
  unchanged: number;
}

/** Makes the folder equal to `files`; others than those of the form stay. `before` is what it has now. */
export async function writeFolderFiles(folder: string, before: FolderFiles, files: FolderFiles): Promise<Written> {
  const stale = [...before.keys()].filter((path) => !files.has(path));
  const fresh = [...files].filter(([path, text]) => before.get(path) !== text);
  await plainly(folder, async () => {
    const parts = new Set(fresh.flatMap(([path]) => path.split('/').slice(0, -1)));
    await mkdir(folder, { recursive: true });
    for (const part of parts) await mkdir(join(folder, part), { recursive: true });
  });
  for (const [path, text] of fresh) await plainly(join(folder, path), () => replace(folder, path, text));
  for (const path of stale) await plainly(join(folder, path), () => rm(join(folder, path)));
  return { written: fresh.length, deleted: stale.length, unchanged: files.size - fresh.length };
}

/** True if nothing of it could be lost: it is missing, or has only hidden files such as `.git`. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  return plainly(folder, async () => {
    const names = await readdir(folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    return names.every((name) => name.startsWith('.'));
  });
}

async function pathsIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const path of [FOLDER_MARK, LINES_FILE]) if ((await kindOf(folder, path)) === 'file') paths.push(path);
  for (const [part, endings] of Object.entries(FOLDER_PARTS)) {
    const kind = await kindOf(folder, part);
    if (kind === null) continue;
    if (kind !== 'folder') throw refusedFile(part, 'expected a folder');
    const names = await plainly(join(folder, part), () => readdir(join(folder, part)));
    for (const name of names.toSorted()) {
      if (name.startsWith('.')) continue;
      const path = `${part}/${name}`;
      if (!endings.some((ending) => name.endsWith(`.${ending}`)))
        throw refusedFile(path, `expected only files that end with ${endings.map((one) => `.${one}`).join(' or ')}`);
      if ((await kindOf(folder, path)) !== 'file') throw refusedFile(path, 'expected a file');
      paths.push(path);
      if (paths.length > FOLDER_FILES_MAX)
        throw new PlainError(`${folder} has more than ${FOLDER_FILES_MAX} files; expected the folder of one project`);
    }
  }
  return paths;
}

/** Null: it does not exist. Throws for a symbolic link. */
async function kindOf(folder: string, path: string): Promise<'file' | 'folder' | null> {
  return plainly(join(folder, path), async () => {
    const found = await lstat(join(folder, path)).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (found === null) return null;
    if (found.isDirectory()) return 'folder';
    if (found.isFile()) return 'file';
    throw refusedFile(path, found.isSymbolicLink() ? 'it is a symbolic link' : 'it is no file');
  });
}

async function readBytes(path: string, room: number): Promise<Buffer> {
  // Windows has no such flag; `kindOf` has looked.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = await file.stat();
    if (size > room) throw tooLarge();
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A rename replaces a link itself, not the file that it names. */
async function replace(folder: string, path: string, text: string): Promise<void> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  const fresh = join(folder, ...names, `.${name}.new`);
  await rm(fresh, { force: true });
  await writeFile(fresh, text, { flag: 'wx' });
  await rename(fresh, join(folder, path));
}

function textOf(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusedFile(path, 'expected UTF-8');
  }
}

function refusedFile(path: string, why: string): PlainError {
  return new PlainError(`${path}: ${why}`);
}

function tooLarge(): PlainError {
  return new PlainError(`the files have more than ${PROJECT_FILE_BYTES_MAX} bytes; expected the folder of one project`);
}

async function plainly<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new PlainError(`${path}: ${fileTrouble(error)}`, { cause: error });
  }
}
