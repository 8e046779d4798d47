import { createHmac, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyHasher, HASHED_VALUE_CHARS_MAX, hashesEqual } from './key-hash.ts';

const hmac = (pepper: Uint8Array, value: string): Buffer => createHmac('sha256', pepper).update(value).digest();

describe('the key hasher', () => {
  test('returns the same as createHmac, for any pepper and any text up to the limit', () => {
    const pepper = fc.uint8Array({ minLength: 0, maxLength: 200 });
    const values = fc.array(fc.string({ unit: 'binary', maxLength: HASHED_VALUE_CHARS_MAX / 2 }), { maxLength: 5 });
    fc.assert(
      fc.property(pepper, values, (pepper, values) => {
        const hash = createKeyHasher(pepper);
        for (const value of values) expect(hash(value)).toEqual(hmac(pepper, value));
      }),
      { numRuns: 500 },
    );
  });

  test('the hash of a short value is not affected by a longer one before it', () => {
    const pepper = randomBytes(32);
    const hash = createKeyHasher(pepper);
    hash('x'.repeat(HASHED_VALUE_CHARS_MAX));
    expect(hash('short')).toEqual(hmac(pepper, 'short'));
    expect(hash('')).toEqual(hmac(pepper, ''));
  });

  test('gives each caller a separate result', () => {
    const hash = createKeyHasher(randomBytes(32));
    const first = hash('one');
    const copy = Buffer.from(first);
    hash('two');
    expect(first).toEqual(copy);
  });

  test('hashes a value of maximum length with the widest characters', () => {
    const pepper = randomBytes(32);
    const value = '語'.repeat(HASHED_VALUE_CHARS_MAX);
    expect(createKeyHasher(pepper)(value)).toEqual(hmac(pepper, value));
  });

  test('refuses a value above the limit instead of hashing part of it', () => {
    expect(() => createKeyHasher(randomBytes(32))('x'.repeat(HASHED_VALUE_CHARS_MAX + 1))).toThrow(RangeError);
  });
});

describe('the comparison', () => {
  test('succeeds only for equal bytes of equal length', () => {
    const bytes = randomBytes(32);
    expect(hashesEqual(bytes, Buffer.from(bytes))).toBe(true);
    expect(hashesEqual(bytes, randomBytes(32))).toBe(false);
    expect(hashesEqual(bytes, bytes.subarray(0, 31))).toBe(false);
    expect(hashesEqual(bytes, Buffer.alloc(0))).toBe(false);
  });
});
