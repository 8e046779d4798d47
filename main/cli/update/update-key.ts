import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { packagedFile } from '../packaged.ts';
import { PlainError } from '../plain-error.ts';
import { readSmall } from './read-small.ts';

/**
 * The public key that updates are checked with: from the file that the user names, otherwise the one that an
 * administrator of this PC has installed, otherwise the one built into this package (`--public-key`).
 *
 * Security: a key that comes with the update proves nothing, so none is ever read from there. The PC's own file is used
 * only if nobody but its owner can write to it.
 */
const ADMINISTRATORS_KEY = '/etc/sluice/update-key.pub';
/** In the package, beside `app/`. */
export const BUILT_IN_KEY = 'update-key.pem';
const KEY_BYTES_MAX = 4_096;
const OTHERS_WRITE = 0o022;

export interface UpdateKey {
  key: KeyObject;
  /** Its source, for users. */
  from: string;
  /** `SHA256:` and the first 16 hex digits of its SPKI form: short enough to read aloud. */
  fingerprint: string;
}

/** Throws PlainError. */
export function readUpdateKey(
  named: string | undefined,
  places: readonly string[] = [ADMINISTRATORS_KEY, packagedFile(process.execPath, BUILT_IN_KEY)],
): UpdateKey {
  const from = named ?? places.find((place) => existsSync(place));
  if (from === undefined)
    throw new PlainError(
      `there is no public key to check updates with: install the key of the product, from a source other than the update, as ${ADMINISTRATORS_KEY}, or name its file with --public-key`,
    );
  const text = readSmall(from, 'the public key', KEY_BYTES_MAX).toString('latin1');
  if (named === undefined) refuseOpen(from);
  const key = parsed(from, text);
  const spki = key.export({ type: 'spki', format: 'der' });
  return { key, from, fingerprint: `SHA256:${createHash('sha256').update(spki).digest('hex').slice(0, 16)}` };
}

function parsed(from: string, text: string): KeyObject {
  if (text.includes('PRIVATE KEY'))
    throw new PlainError(`${from} is a private key, which belongs to the signer; expected the public one`);
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below: details about such bytes are not helpful.
  }
  throw new PlainError(`${from} is not a public key of Ed25519 in PEM`);
}

function refuseOpen(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & OTHERS_WRITE) === 0) return;
  throw new PlainError(
    `other users than its owner can write to the public key ${path}, so it proves nothing: run chmod 644 on it and compare it with the key that you received`,
  );
}
