import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, replaceFile, type FileEdge } from '#common/node/atomic-file.ts';
import { VaultError } from '../vault/errors.ts';
import { formatGeneration, parseGeneration, SECRET_BYTES } from './secret-record.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * The DB secret as a systemd credential: `sluice-secret` in `$CREDENTIALS_DIRECTORY`, 32 random bytes, raw, in hex or
 * in base64 (`LoadCredentialEncrypted=sluice-secret:…`). systemd provides it read-only, so the generation is kept in
 * `vault.generation` beside the vault, authenticated with the secret: it cannot be forged without the secret, and a
 * vault without this file counts as rolled back.
 *
 * Known weakness: an older vault that is restored together with its generation file is not detected.
 */
export const CREDENTIAL_NAME = 'sluice-secret';
export const GENERATION_FILE = 'vault.generation';

export interface CredentialOptions {
  folder: string;
  /** The value of `$CREDENTIALS_DIRECTORY`. */
  credentialsDir: string | undefined;
  files?: FileEdge;
}

/** Throws VaultError `secret_store` if there is no such credential or it does not have 32 bytes. */
export function createCredentialStore({ folder, credentialsDir, files }: CredentialOptions): SecretStore {
  const secret = readCredential(credentialsDir);
  const file = join(folder, GENERATION_FILE);
  return {
    kind: 'credential',
    fixedSecret: secret,
    load: async (vaultId) => ({ secret, generation: readGeneration(file, vaultId, secret) }),
    async save(vaultId, saved, generation) {
      if (!saved.equals(secret)) {
        throw new VaultError(
          'secret_store',
          `The credential ${CREDENTIAL_NAME} is read-only and holds another secret.`,
        );
      }
      const text = formatGeneration(vaultId, secret, generation) + '\n';
      await replaceFile(file, Buffer.from(text), files && { files });
    },
    forget: () => rm(file, { force: true }),
    close: () => {},
  };
}

function readCredential(credentialsDir: string | undefined): Buffer {
  if (!credentialsDir) {
    throw new VaultError(
      'secret_store',
      `The secret store "credential" needs systemd to pass ${CREDENTIAL_NAME} (LoadCredentialEncrypted=), but CREDENTIALS_DIRECTORY is not set.`,
    );
  }
  const file = join(credentialsDir, CREDENTIAL_NAME);
  try {
    const secret = decode(readFileSync(file));
    if (secret !== null) return secret;
  } catch (error) {
    throw new VaultError('secret_store', `The credential ${file} cannot be read.`, { cause: error });
  }
  throw new VaultError(
    'secret_store',
    `The credential ${file} is not a secret; expected 32 bytes, raw, in hex or in base64.`,
  );
}

function decode(bytes: Buffer): Buffer | null {
  if (bytes.length === SECRET_BYTES) return bytes;
  const text = bytes.toString('latin1').trim();
  if (/^[0-9A-Fa-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : null;
}

function readGeneration(file: string, vaultId: string, secret: Buffer): number | null {
  try {
    return parseGeneration(vaultId, secret, readFileSync(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new VaultError('secret_store', `The generation file ${file} cannot be read.`, { cause: error });
  }
}
