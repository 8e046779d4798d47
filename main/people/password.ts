import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Password hashes: scrypt (RFC 7914), its parameters stored with each hash, so that they can be raised later:
 * `scrypt$N$r$p$<salt>$<hash>`, salt and hash in base64url. N = 2^15, r = 8, p = 3 (OWASP Password Storage) takes 32
 * MiB and about 0.2 s of one core in libuv's pool, so callers limit how many run at once.
 */
export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

export const SCRYPT_COST: ScryptCost = { n: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]{8,})\$([A-Za-z0-9_-]{8,})$/;

export async function hashPassword(password: string, cost: ScryptCost = SCRYPT_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(cost, salt, await derive(password, salt, HASH_BYTES, cost));
}

/** Compares in constant time; an unreadable hash never matches. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = FORM.exec(stored);
  if (!match) return false;
  const [n, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const wanted = Buffer.from(match[5] ?? '', 'base64url');
  const actual = await derive(password, Buffer.from(match[4] ?? '', 'base64url'), wanted.length, { n, r, p });
  return timingSafeEqual(actual, wanted);
}

/** A hash that matches no password, for names that do not exist: comparing it takes as long as with a real one. */
export function unfittableHash(cost: ScryptCost = SCRYPT_COST): string {
  return format(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
}

function format({ n, r, p }: ScryptCost, salt: Buffer, hash: Buffer): string {
  return `scrypt$${n}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

function derive(password: string, salt: Buffer, bytes: number, { n, r, p }: ScryptCost): Promise<Buffer> {
  // Users cannot distinguish composed and decomposed letters, so both forms are the same password.
  const text = password.normalize('NFC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, bytes, { N: n, r, p, maxmem: 128 * n * r * 2 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
