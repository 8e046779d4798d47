import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, replaceFile, type FileEdge } from '#common/node/atomic-file.ts';
import { openToOthers } from '#common/node/private-files.ts';
import { VaultError } from '../vault/errors.ts';
import { formatRecord, parseRecord } from './secret-record.ts';
import type { SecretStore } from './secret-store.ts';

/**
 * The DB secret in `vault.secret`, 0600, beside the vault.
 *
 * Known weakness: a copy of the folder is enough to open the vault, and an older state of both can be restored without
 * detection; hence the standing alarm. With a keychain, the disk's files alone are not enough for either.
 */
export const SECRET_FILE = 'vault.secret';

export function createFileStore(folder: string, files?: FileEdge): SecretStore {
  const file = join(folder, SECRET_FILE);
  return {
    kind: 'file',
    fixedSecret: null,
    async load(vaultId) {
      const text = readSecretFile(file);
      return text === null ? null : parseRecord(vaultId, text);
    },
    async save(vaultId, secret, generation) {
      const text = formatRecord(vaultId, secret, generation) + '\n';
      try {
        await replaceFile(file, Buffer.from(text), files && { files });
      } catch (error) {
        throw new VaultError('secret_store', `The secret file ${file} could not be written.`, { cause: error });
      }
    },
    forget: () => rm(file, { force: true }),
    close: () => {},
  };
}

/**
 * The text of a secret file; null if there is none. Refuses a file that others can read, because its secret is not
 * secret.
 */
export function readSecretFile(file: string): string | null {
  try {
    if (openToOthers(file)) {
      throw new VaultError(
        'secret_store',
        `The secret file ${file} is open to other users; expected mode 0600. Check who may have read it, then run: chmod 600 ${file}`,
      );
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (error instanceof VaultError) throw error;
    throw new VaultError('secret_store', `The secret file ${file} could not be read.`, { cause: error });
  }
}
