import { verify } from 'node:crypto';
import { dirname, join } from 'node:path';
import { PlainError } from '../plain-error.ts';
import { readSmall } from './read-small.ts';
import type { UpdateKey } from './update-key.ts';

/** Beside the package; `build/package/checksums.ts` writes both. */
const SUMS = 'SHA256SUMS';
const SIGNATURE = 'SHA256SUMS.sig';
const SUMS_BYTES_MAX = 65_536;
const SIGNATURE_BYTES = 64;
const LINE = /^([0-9a-f]{64}) [ *]([^/\0]+)$/;

/**
 * The checksum for `file` in the signed list beside `path`, in hex. Throws PlainError if the list is not signed with
 * the key, or does not contain the file.
 */
export function signedSumOf(path: string, file: string, { key, from, fingerprint }: UpdateKey): string {
  const at = (name: string): string => join(dirname(path), name);
  const sums = readSmall(at(SUMS), 'the list of checksums', SUMS_BYTES_MAX);
  const signature = readSmall(at(SIGNATURE), 'the signature', SIGNATURE_BYTES);
  if (!verify(null, sums, key, signature))
    throw new PlainError(
      `${at(SIGNATURE)} is not a signature of ${SUMS} by the key ${fingerprint} of ${from}: do not install it`,
    );
  const sum = sums
    .toString('utf8')
    .split('\n')
    .map((line) => LINE.exec(line))
    .find((found) => found?.[2] === file)?.[1];
  if (sum === undefined)
    throw new PlainError(
      `the signed list ${at(SUMS)} does not contain ${file}: the list belongs to another release, or the file was renamed`,
    );
  return sum;
}
