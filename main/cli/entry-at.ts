import { lstatSync, statSync, type Stats } from 'node:fs';
import { errorCode } from '#common/node/atomic-file.ts';
import { fileTrouble } from './file-trouble.ts';
import { PlainError } from './plain-error.ts';

/** The entry in or at the data folder; undefined: there is none. Throws PlainError if this user has no access. */
export function entryAt(path: string, { ofLink = false } = {}): Stats | undefined {
  try {
    return ofLink ? lstatSync(path, { throwIfNoEntry: false }) : statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new PlainError(`${path} cannot be accessed: ${fileTrouble(cause)}${isClosed(cause) ? WHO : ''}`, { cause });
  }
}

/** Whether the system denies this user access. */
function isClosed(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(errorCode(error));
}

const WHO = '; run the command with sudo, or as the owner of the folder';
