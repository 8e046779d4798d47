import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';

/**
 * Files and folders that only their owner can open (docs/spec/storage.md#data-folder): 0600 and 0700; on Windows an
 * access control list for the system, the administrators and the user, inherited by everything inside.
 *
 * Known weakness: the Windows branch is written from the documentation of `icacls`; no test runs it.
 */
export const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_FOLDER_MODE = 0o700;

const OTHERS = 0o077;
const ICACLS_MS_MAX = 10_000;
/** Well-known SIDs of LocalSystem and the Administrators group, whose names are translated. */
const WINDOWS_OWNERS = ['*S-1-5-18', '*S-1-5-32-544'];

/**
 * Creates the folder, or restricts the permissions of an existing one. Throws if it is not a folder or belongs to
 * another user.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder; expected a folder or a free name`);
  if (process.platform === 'win32') {
    execFileSync('icacls', windowsAccess(path, userInfo().username), { timeout: ICACLS_MS_MAX, windowsHide: true });
    return;
  }
  if (openToOthers(path)) chmodSync(path, PRIVATE_FOLDER_MODE);
}

/** Creates an empty private file if it is missing, before a library opens it with the umask of the process. */
export function touchPrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE_MODE));
  if (process.platform !== 'win32' && openToOthers(path)) chmodSync(path, PRIVATE_FILE_MODE);
}

/**
 * True if group or others have any right to the file; always false on Windows, where the access list of the folder
 * decides.
 */
export function openToOthers(path: string): boolean {
  return process.platform !== 'win32' && (lstatSync(path).mode & OTHERS) !== 0;
}

/**
 * Arguments of `icacls` that remove inherited rights and give full control to the user, the system and administrators.
 */
export function windowsAccess(path: string, user: string): string[] {
  return [resolve(path), '/inheritance:r', '/grant:r', ...[...WINDOWS_OWNERS, user].map((who) => `${who}:(OI)(CI)F`)];
}
