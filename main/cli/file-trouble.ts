import { errorCode } from '#common/node/atomic-file.ts';

/** An error of the operating system, not one of ours. */
export function isSystemError(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(errorCode(error));
}

/** Why the system refused a file, in plain text; its own code for rare cases. */
export function fileTrouble(error: unknown): string {
  const code = errorCode(error);
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : `the system says ${code || String(error)}`;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'this user may not (EACCES)',
  EPERM: 'this user may not (EPERM)',
  EISDIR: 'it is a folder; expected a file',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'it is there already',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'this user has no room left there (EDQUOT)',
  EROFS: 'it can only be read there (EROFS)',
  EFBIG: 'the file system takes no file of that size (EFBIG)',
  EIO: 'the disk failed (EIO)',
};
