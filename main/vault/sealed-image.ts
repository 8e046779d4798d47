import { hkdfSync, randomBytes, webcrypto } from 'node:crypto';
import type { SecretStoreKind } from '../keychain/secret-store.ts';

/**
 * The form of `vault.db` (docs/spec/storage.md#vault): a header of 48 bytes, then AES-256-GCM of a SQLite image with
 * its tag.
 *
 *   bytes  0– 7  magic "SLUICEVT"
 *          8     format, 1
 *          9     secret store: 1 keychain, 2 credential, 3 file
 *         10–11  zero
 *         12–27  the vault's id, random, made once
 *         28–35  generation, unsigned, big endian
 *         36–47  nonce, random, new for each write
 *
 * The whole header is associated data: no bit of the file can change without being found. The key is derived from the
 * DB secret for this purpose alone. Random nonces of 96 bits are safe for 2^32 writes under one secret.
 */
export const HEADER_BYTES = 48;
export const IMAGE_BYTES_MAX = 64 * 1024 ** 2;

const MAGIC = Buffer.from('SLUICEVT', 'latin1');
const FORMAT = 1;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const KINDS = ['keychain', 'credential', 'file'] as const satisfies SecretStoreKind[];

export interface ImageHeader {
  /** Hex, 16 bytes. */
  vaultId: string;
  generation: number;
  kind: SecretStoreKind;
}

export function newVaultId(): string {
  return randomBytes(16).toString('hex');
}

/** HKDF-SHA-256 (RFC 5869), 32 bytes; one key per secret and purpose. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `sluice ${purpose}`, 32));
}

/** Encrypts on another thread (WebCrypto), so that the event loop continues. */
export async function sealImage(secret: Uint8Array, header: ImageHeader, image: Uint8Array): Promise<Buffer> {
  if (image.length > IMAGE_BYTES_MAX) throw new Error(`the vault is full: ${image.length} of ${IMAGE_BYTES_MAX} bytes`);
  const head = writeHeader(header);
  const key = await sealingKey(secret, 'encrypt');
  const sealed = await webcrypto.subtle.encrypt(cipher(head), key, new Uint8Array(image));
  return Buffer.concat([head, Buffer.from(sealed)]);
}

/** Throws if a single bit differs from the data that was encrypted with this secret. */
export async function openImage(secret: Uint8Array, file: Uint8Array): Promise<{ header: ImageHeader; image: Buffer }> {
  const header = readHeader(file);
  const key = await sealingKey(secret, 'decrypt');
  const sealed = new Uint8Array(file.subarray(HEADER_BYTES));
  const image = await webcrypto.subtle.decrypt(cipher(Buffer.from(file.subarray(0, HEADER_BYTES))), key, sealed);
  return { header, image: Buffer.from(image) };
}

/** Reads only the header, which is not verified yet. Throws if it is invalid. */
export function readHeader(file: Uint8Array): ImageHeader {
  const head = Buffer.from(file.subarray(0, HEADER_BYTES));
  if (file.length < HEADER_BYTES + TAG_BYTES) throw new Error('it is cut short');
  if (file.length > IMAGE_BYTES_MAX + HEADER_BYTES + TAG_BYTES) throw new Error('it is larger than any vault');
  if (!head.subarray(0, 8).equals(MAGIC)) throw new Error('it is not a vault');
  if (head[8] !== FORMAT) throw new Error(`its format is ${head[8]}, expected ${FORMAT}`);
  const kind = KINDS[head.readUInt8(9) - 1];
  const generation = head.readBigUInt64BE(28);
  if (kind === undefined || head.readUInt16BE(10) !== 0 || generation > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new Error('its header is damaged');
  }
  return { vaultId: head.toString('hex', 12, 28), generation: Number(generation), kind };
}

function writeHeader({ vaultId, generation, kind }: ImageHeader): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(head);
  head.writeUInt8(FORMAT, 8);
  head.writeUInt8(KINDS.indexOf(kind) + 1, 9);
  head.write(vaultId, 12, 'hex');
  head.writeBigUInt64BE(BigInt(generation), 28);
  randomBytes(NONCE_BYTES).copy(head, 36);
  return head;
}

function cipher(head: Buffer): webcrypto.AesGcmParams {
  const bytes = new Uint8Array(head);
  return { name: 'AES-GCM', iv: bytes.slice(36, HEADER_BYTES), additionalData: bytes, tagLength: TAG_BYTES * 8 };
}

function sealingKey(secret: Uint8Array, use: 'encrypt' | 'decrypt'): Promise<webcrypto.CryptoKey> {
  const key = new Uint8Array(deriveKey(secret, 'vault-seal'));
  return webcrypto.subtle.importKey('raw', key, 'AES-GCM', false, [use]);
}
