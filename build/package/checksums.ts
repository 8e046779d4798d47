import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `SHA256SUMS` of the packages, and its signature. An update is a newer package from a file; before installing it, an
 * administrator checks the signature with the public key and the sums with `sha256sum -c` (docs/guides/packages.md).
 *
 * The key is an Ed25519 key in PEM, in the file named by SLUICE_SIGNING_KEY; without it nothing is signed, and this is
 * reported.
 */
export const SUMS = 'SHA256SUMS';
export const SIGNATURE = 'SHA256SUMS.sig';

/** `names`: files in `folder`. True: signed. */
export function writeChecksums(folder: string, names: readonly string[], keyFile: string | undefined): boolean {
  const lines = names.toSorted().map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  const text = Buffer.from(lines.join(''));
  writeFileSync(join(folder, SUMS), text);
  // A signature of an earlier build would look like a forgery.
  rmSync(join(folder, SIGNATURE), { force: true });
  if (keyFile === undefined) return false;
  writeFileSync(join(folder, SIGNATURE), sign(null, text, signingKey(keyFile)));
  return true;
}

function signingKey(file: string): ReturnType<typeof createPrivateKey> {
  const key = createPrivateKey(readFileSync(file));
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`SLUICE_SIGNING_KEY names a key of kind ${key.asymmetricKeyType}; expected an Ed25519 key in PEM.`);
  return key;
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
