import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The one-time token of the first start (docs/spec/users.md#set-up), in `<data>/setup-token`, readable only by its
 * owner. Anyone who can read the data folder may create the first Administrator. An existing token is kept, so that a
 * restart does not invalidate the one that a user has just copied.
 */
export const SETUP_TOKEN_FILE = 'setup-token';
const FORM = /^[A-Za-z0-9_-]{43}$/;

export interface SetupToken {
  /** Compares in constant time. */
  fits(given: string): boolean;
  remove(): void;
}

export function openSetupToken(dataDir: string): SetupToken {
  const file = join(dataDir, SETUP_TOKEN_FILE);
  const token = existing(file) ?? write(file);
  return {
    fits: (given) => timingSafeEqual(digest(given), digest(token)),
    remove: () => removeSetupToken(dataDir),
  };
}

export function removeSetupToken(dataDir: string): void {
  rmSync(join(dataDir, SETUP_TOKEN_FILE), { force: true });
}

function existing(file: string): string | null {
  const info = lstatSync(file, { throwIfNoEntry: false });
  // A link, or a file that others can read, may hold a token that somebody else chose.
  if (!info?.isFile() || (process.platform !== 'win32' && (info.mode & 0o077) !== 0)) return null;
  const text = readFileSync(file, 'utf8').trim();
  return FORM.test(text) ? text : null;
}

function write(file: string): string {
  const token = randomBytes(32).toString('base64url');
  rmSync(file, { force: true });
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, `${token}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return token;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
