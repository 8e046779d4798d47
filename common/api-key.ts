/**
 * The format of an API key (docs/spec/keys.md#value): `slc_<id: 12 base62>_<secret: 43 base62><CRC-32: 6 base62>`. The
 * checksum rejects typing errors before any lookup; it is no proof of authenticity. Service tokens
 * (docs/spec/users.md#service-tokens) begin with `slt_` instead.
 */
type Prefix = 'slc' | 'slt';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_CHARS = 12;
const SECRET_CHARS = 43;
const CHECK_CHARS = 6;
export const KEY_CHARS = 4 + ID_CHARS + 1 + SECRET_CHARS + CHECK_CHARS;

const FORM = new RegExp(`^(sl[ct])_[0-9A-Za-z]{${ID_CHARS}}_[0-9A-Za-z]{${SECRET_CHARS + CHECK_CHARS}}$`);
const KEY_LIKE = new RegExp(`(sl[ct])_([0-9A-Za-z]{${ID_CHARS}})_[0-9A-Za-z]*`, 'g');

type RandomBytes = (count: number) => Uint8Array;

/** Creates a key from a source of random bytes (`node:crypto` randomBytes in the product). */
export function makeApiKey(randomBytes: RandomBytes): { id: string; value: string } {
  return make('slc', randomBytes);
}

export function makeServiceToken(randomBytes: RandomBytes): { id: string; value: string } {
  return make('slt', randomBytes);
}

function make(prefix: Prefix, randomBytes: RandomBytes): { id: string; value: string } {
  const id = base62(toBigInt(randomBytes(9)), ID_CHARS + 1).slice(-ID_CHARS);
  const secret = base62(toBigInt(randomBytes(32)), SECRET_CHARS);
  const body = `${prefix}_${id}_${secret}`;
  return { id, value: body + checksum(body) };
}

/** The ID inside a well-formed key with a correct checksum, else null. */
export function apiKeyId(value: string): string | null {
  return idIn('slc', value);
}

/** The same for a service token. */
export function serviceTokenId(value: string): string | null {
  return idIn('slt', value);
}

function idIn(prefix: Prefix, value: string): string | null {
  if (value.length !== KEY_CHARS || FORM.exec(value)?.[1] !== prefix) return null;
  const body = value.slice(0, -CHECK_CHARS);
  if (checksum(body) !== value.slice(-CHECK_CHARS)) return null;
  return value.slice(4, 4 + ID_CHARS);
}

/** Masks everything that looks like a key or a service token in a text that may be logged or shown. */
export function maskKeys(text: string): string {
  return text.includes('slc_') || text.includes('slt_') ? text.replace(KEY_LIKE, '$1_$2_…') : text;
}

/** The same for a path, in which a key may be percent-encoded: such a path is returned decoded and masked. */
export function maskKeysInPath(path: string): string {
  if (!path.includes('%')) return maskKeys(path);
  const plain = path.replace(/%([2-7][0-9A-Fa-f])/g, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const masked = maskKeys(plain);
  return masked === plain ? path : masked;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECK_CHARS; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function toBigInt(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

function base62(value: bigint, chars: number): string {
  let text = '';
  for (let rest = value; text.length < chars; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** CRC-32 (IEEE 802.3) of an ASCII text. `zlib.crc32` is not available in `common`, which uses no Node modules. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) crc = (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
