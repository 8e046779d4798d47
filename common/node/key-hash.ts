import { hash, timingSafeEqual } from 'node:crypto';

/**
 * Keyed hash of an API key (docs/spec/keys.md#storage): HMAC-SHA-256 (RFC 2104) of its value with the pepper.
 *
 * It runs for every request on the gateway. Two one-shot hashes over blocks whose padded key is filled in once cost a
 * fraction of `createHmac`, which allocates an object per call; the result is the same (checked by property tests). The
 * digests are binary strings, one character per byte: a Buffer created by the native side costs more than the hash.
 */
export const HASHED_VALUE_CHARS_MAX = 256;
export const KEY_HASH_BYTES = 32;

const BLOCK_BYTES = 64;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const VALUE_BYTES_MAX = HASHED_VALUE_CHARS_MAX * 3;

/** Hashes one value; throws a RangeError for a value over `HASHED_VALUE_CHARS_MAX` UTF-16 units. */
export type KeyHasher = (value: string) => Buffer;

/** `pepper`: any length; 32 random bytes in the product. Not safe for use by two threads at the same time. */
export function createKeyHasher(pepper: Uint8Array): KeyHasher {
  const inner = paddedBlock(pepper, 0x36, VALUE_BYTES_MAX);
  const outer = paddedBlock(pepper, 0x5c, KEY_HASH_BYTES);
  // Views are created once per length: creating one costs a considerable part of a hash.
  const views: (Buffer | undefined)[] = Array.from({ length: VALUE_BYTES_MAX + 1 });
  return (value) => {
    if (value.length > HASHED_VALUE_CHARS_MAX) {
      throw new RangeError(`expected a value of at most ${HASHED_VALUE_CHARS_MAX} characters`);
    }
    const bytes = inner.write(value, BLOCK_BYTES, 'utf8');
    const block = (views[bytes] ??= inner.subarray(0, BLOCK_BYTES + bytes));
    outer.write(hash('sha256', block, 'binary'), BLOCK_BYTES, 'latin1');
    return Buffer.from(hash('sha256', outer, 'binary'), 'latin1');
  };
}

/** Compares in constant time; hashes of different lengths differ. */
export function hashesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function paddedBlock(key: Uint8Array, padding: number, roomBytes: number): Buffer {
  const short = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  const block = Buffer.alloc(BLOCK_BYTES + roomBytes);
  block.fill(padding, 0, BLOCK_BYTES);
  for (const [index, byte] of short.entries()) block[index] = byte ^ padding;
  return block;
}
