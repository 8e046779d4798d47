import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SluiceError } from '#common/errors/catalogue.ts';
import { stated } from '#common/errors/rules.ts';
import { waitMsAfter } from './failures.ts';

/**
 * The one-time token of the first start (docs/spec/users.md#set-up), in `<data>/setup-token`, readable only by its
 * owner. Anyone who can read the data folder may create the first Administrator. An existing token is kept, so that a
 * restart does not invalidate a token that a user has just copied.
 *
 * Form: `K7QF-2M9D-XW`, 50 random bits in Crockford's base32, which has no I, L, O and U. It may be typed in lower case
 * and without dashes; I and L count as 1, O as 0. Limits: wrong tokens are slowed down like failed log-ins
 * (failures.ts), for all callers together. After `WRONG_TOKENS_MAX` the token is deleted, and the next start writes
 * another one. A restart resets the count.
 */
export const SETUP_TOKEN_FILE = 'setup-token';
export const WRONG_TOKENS_MAX = 100;

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = [4, 4, 2];
const FORM = new RegExp(`^${GROUPS.map((length) => `[${DIGITS}]{${length}}`).join('-')}$`);

export interface SetupToken {
  /** Throws `login_slowed` while the next attempt has to wait, and `setup_token_wrong` once the token is void. */
  expectAttempt(): void;
  /** Throws like `expectAttempt`, and `setup_token_wrong`. */
  expect(given: string): void;
}

interface Options {
  dataDir: string;
  /** From any zero point of a clock that cannot be set. */
  elapsedMs(): number;
  /** The token is void: its file must be deleted. */
  onVoid(): void;
}

export function openSetupToken({ dataDir, elapsedMs, onVoid }: Options): SetupToken {
  const file = join(dataDir, SETUP_TOKEN_FILE);
  const expected = digest(existing(file) ?? write(file));
  let wrong = 0;
  let lastWrongAt = 0;
  const expectAttempt = (): void => {
    if (wrong >= WRONG_TOKENS_MAX) throw new SluiceError('setup_token_wrong', stated('setup_token_void'));
    const waitMs = lastWrongAt + waitMsAfter(wrong) - elapsedMs();
    if (waitMs > 0) throw slowed(waitMs);
  };
  return {
    expectAttempt,
    expect(given) {
      expectAttempt();
      if (timingSafeEqual(digest(given), expected)) return;
      wrong += 1;
      lastWrongAt = elapsedMs();
      if (wrong >= WRONG_TOKENS_MAX) onVoid();
      throw new SluiceError('setup_token_wrong', stated('setup_token'));
    },
  };
}

export function removeSetupToken(dataDir: string): void {
  rmSync(join(dataDir, SETUP_TOKEN_FILE), { force: true });
}

function slowed(waitMs: number): SluiceError {
  const seconds = Math.ceil(waitMs / 1000);
  return new SluiceError('login_slowed', stated('setup_token_slowed', { seconds }), { retryAfterSeconds: seconds });
}

function existing(file: string): string | null {
  const info = lstatSync(file, { throwIfNoEntry: false });
  // A link, or a file that others can read, may contain a token that somebody else chose.
  if (!info?.isFile() || (process.platform !== 'win32' && (info.mode & 0o077) !== 0)) return null;
  const text = readFileSync(file, 'utf8').trim();
  return FORM.test(text) ? text : null;
}

function write(file: string): string {
  const token = GROUPS.map(randomDigits).join('-');
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

function randomDigits(length: number): string {
  return Array.from({ length }, () => DIGITS[randomInt(DIGITS.length)]).join('');
}

/** Only the digits, normalized: compared in constant time. */
function digest(text: string): Buffer {
  const meant = text.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0');
  return createHash('sha256').update(meant).digest();
}
