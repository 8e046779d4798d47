import { errorCode } from '#common/node/atomic-file.ts';

/** An error of the operating system, not of Sluice. */
export function isSystemError(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(errorCode(error));
}

/** The reason of the system for refusing a file, in plain text; its own code for rare cases. */
export function fileTrouble(error: unknown): string {
  const code = errorCode(error);
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : `the system says ${code || String(error)}`;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user has no permission (EACCES)',
  EPERM: 'this user has no permission (EPERM)',
  EISDIR: 'it is a folder; expected a file',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'it already exists',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk quota of this user is used up (EDQUOT)',
  EROFS: 'the file system is read-only (EROFS)',
  EFBIG: 'the file system does not support files of this size (EFBIG)',
  EIO: 'the disk failed (EIO)',
};
