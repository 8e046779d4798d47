import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { VaultError } from './errors.ts';

/**
 * The format of a backup file: a header of 28 bytes (magic "SLUICEBK", format 1, three zero bytes, 16 bytes of salt),
 * then chunks of 1 MiB, each AES-256-GCM with its tag; the last may be shorter. The key comes from the passphrase by
 * scrypt, N = 2^17, r = 8, p = 1 (128 MiB of memory), and the salt is new for each file, so a chunk's nonce is a
 * counter: seven zero bytes, the chunk's number, and 1 for the last chunk. A chunk that is cut off, changed, moved or
 * taken from another file does not open (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár).
 *
 * Limit: 2^32 chunks. Known weakness: anyone with the file can try passphrases; twelve characters are the minimum.
 */
export const PASSPHRASE_CHARS_MIN = 12;
const PASSPHRASE_CHARS_MAX = 1_024;

const MAGIC = Buffer.from('SLUICEBK', 'latin1');
const FORMAT = 1;
const SALT_BYTES = 16;
const HEADER_BYTES = 28;
const CHUNK_BYTES = 1024 ** 2;
const TAG_BYTES = 16;
const CHUNKS_MAX = 2 ** 32;
export const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 1024 ** 2 };

/** Throws VaultError `passphrase`. The same characters typed on another keyboard are the same passphrase (NFC). */
export function expectPassphrase(passphrase: string): void {
  const chars = Array.from(passphrase.normalize('NFC')).length;
  if (chars >= PASSPHRASE_CHARS_MIN && chars <= PASSPHRASE_CHARS_MAX) return;
  const expected =
    chars < PASSPHRASE_CHARS_MIN ? `at least ${PASSPHRASE_CHARS_MIN}` : `at most ${PASSPHRASE_CHARS_MAX}`;
  throw new VaultError('passphrase', `The passphrase has ${chars} characters; expected ${expected}.`);
}

export async function* encrypt(passphrase: string, plain: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const header = Buffer.concat([MAGIC, Buffer.from([FORMAT, 0, 0, 0]), randomBytes(SALT_BYTES)]);
  const key = await deriveKey(passphrase, header);
  yield header;
  for await (const { bytes, index, last } of inChunks(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce(index, last)).setAAD(header);
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Throws VaultError `passphrase` if the first chunk cannot be decrypted, `backup` for any other error. */
export async function* decrypt(passphrase: string, file: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const { header, rest } = await splitHeader(file);
  const key = await deriveKey(passphrase, header);
  for await (const { bytes, index, last } of inChunks(rest, CHUNK_BYTES + TAG_BYTES)) {
    yield openChunk(key, header, { bytes, index, last });
  }
}

interface Chunk {
  bytes: Buffer;
  index: number;
  last: boolean;
}

function openChunk(key: Buffer, header: Buffer, { bytes, index, last }: Chunk): Buffer {
  try {
    const end = Math.max(0, bytes.length - TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce(index, last), { authTagLength: TAG_BYTES });
    decipher.setAAD(header).setAuthTag(bytes.subarray(end));
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
  } catch (error) {
    if (index > 0) throw new VaultError('backup', 'The backup is damaged or incomplete.', { cause: error });
    const text = 'The passphrase does not open this backup: it is wrong, or the file is damaged or incomplete.';
    throw new VaultError('passphrase', text, { cause: error });
  }
}

/**
 * Pieces of exactly `size` bytes and a last one of 0 to `size`; the last one is known only at the end of the source.
 */
async function* inChunks(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk> {
  let held = Buffer.alloc(0);
  let index = 0;
  for await (const piece of source) {
    held = held.length === 0 ? Buffer.from(piece) : Buffer.concat([held, piece]);
    while (held.length > size) {
      yield { bytes: held.subarray(0, size), index: index++, last: false };
      held = held.subarray(size);
      if (index >= CHUNKS_MAX) throw new VaultError('backup', 'The backup is larger than its format allows.');
    }
  }
  yield { bytes: held, index, last: true };
}

async function splitHeader(
  file: AsyncIterable<Uint8Array>,
): Promise<{ header: Buffer; rest: AsyncIterable<Uint8Array> }> {
  const pieces = file[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  while (held.length < HEADER_BYTES) {
    const next = await pieces.next();
    if (next.done === true) break;
    held = Buffer.concat([held, next.value]);
  }
  const header = held.subarray(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES || !header.subarray(0, 8).equals(MAGIC)) {
    throw new VaultError('backup', 'The file is not a Sluice backup.');
  }
  if (header[8] !== FORMAT) throw new VaultError('backup', `The backup has format ${header[8]}; expected ${FORMAT}.`);
  async function* rest(): AsyncGenerator<Uint8Array> {
    yield held.subarray(HEADER_BYTES);
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { header, rest: rest() };
}

function nonce(index: number, last: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(index, 7);
  bytes.writeUInt8(last ? 1 : 0, 11);
  return bytes;
}

function deriveKey(passphrase: string, header: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const salt = header.subarray(HEADER_BYTES - SALT_BYTES);
  scrypt(passphrase.normalize('NFC'), salt, 32, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
}
