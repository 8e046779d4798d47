import type { FileEdge } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import { VaultError } from '../vault/errors.ts';
import { createCredentialStore } from './credential-store.ts';
import { createFileStore } from './file-store.ts';
import { createKeychainClient, type KeychainClient } from './keychain-client.ts';
import { createKeychainStore, probeKeychain } from './keychain-store.ts';
import type { SecretStore, SecretStoreKind, SecretStoreMode } from './secret-store.ts';

export interface StoreOptions {
  /** The data folder; `file` and `credential` store a file in it. */
  folder: string;
  log: Logger;
  /** The value of `$CREDENTIALS_DIRECTORY`. */
  credentialsDir?: string | undefined;
  keychain?: () => KeychainClient;
  files?: FileEdge;
}

/** The store that an existing vault's header names. */
export function storeOfKind(kind: SecretStoreKind, options: StoreOptions): SecretStore {
  const { folder, files, keychain = createKeychainClient } = options;
  const { credentialsDir = process.env['CREDENTIALS_DIRECTORY'] } = options;
  switch (kind) {
    case 'keychain':
      return createKeychainStore(keychain());
    case 'credential':
      return createCredentialStore({ folder, credentialsDir, ...(files && { files }) });
    case 'file':
      return createFileStore(folder, files);
  }
}

/**
 * The store for a new vault (docs/spec/storage.md#secret). `auto` uses the keychain, otherwise a file; an installed
 * package never falls back automatically. Throws VaultError `secret_store` with the missing part and the flag to
 * choose.
 */
export async function openSecretStore(
  mode: SecretStoreMode,
  packaged: boolean,
  options: StoreOptions,
): Promise<SecretStore> {
  if (mode === 'file' || mode === 'credential') return storeOfKind(mode, options);
  const { keychain = createKeychainClient } = options;
  const client = keychain();
  try {
    await probeKeychain(client);
    return createKeychainStore(client);
  } catch (error) {
    client.close();
    if (!(error instanceof VaultError)) throw error;
    if (mode === 'auto' && !packaged) return withoutKeychain(error, options);
    throw new VaultError('secret_store', `${error.message} To keep the secret in a file instead: --secret-store file`, {
      cause: error,
    });
  }
}

function withoutKeychain(error: VaultError, options: StoreOptions): SecretStore {
  options.log.warn('the secret is stored in a file: the keychain does not protect it', { reason: error.message });
  return storeOfKind('file', options);
}
