import { randomBytes } from 'node:crypto';
import { VaultError } from '../vault/errors.ts';
import type { KeychainClient } from './keychain-client.ts';
import { plainReason } from './keychain-reasons.ts';
import { formatRecord, parseRecord } from './secret-record.ts';
import type { SecretStore } from './secret-store.ts';

/** The DB secret in the OS keychain, one entry per vault: service `Sluice`, account `vault-<id>`. */
export const KEYCHAIN_OPEN_MS_MAX = 10_000;
export const KEYCHAIN_SAVE_MS_MAX = 3_000;

export function createKeychainStore(client: KeychainClient): SecretStore {
  return {
    kind: 'keychain',
    fixedSecret: null,
    async load(vaultId) {
      const text = await asking(() => client.get(account(vaultId), KEYCHAIN_OPEN_MS_MAX));
      if (text !== null) return parseRecord(vaultId, text);
      // A locked collection has no entries either: only a test write distinguishes the two.
      await probeKeychain(client);
      return null;
    },
    save: (vaultId, secret, generation) =>
      asking(() => client.set(account(vaultId), formatRecord(vaultId, secret, generation), KEYCHAIN_SAVE_MS_MAX)),
    forget: (vaultId) => client.remove(account(vaultId), KEYCHAIN_SAVE_MS_MAX).catch(() => {}),
    close: () => client.close(),
  };
}

/** Writes an entry, reads it back and removes it. Throws VaultError `secret_store` with the reason in plain text. */
export async function probeKeychain(client: KeychainClient): Promise<void> {
  const name = `probe-${randomBytes(6).toString('hex')}`;
  const value = randomBytes(16).toString('hex');
  const found = await asking(async () => {
    await client.set(name, value, KEYCHAIN_OPEN_MS_MAX);
    return client.get(name, KEYCHAIN_OPEN_MS_MAX);
  });
  await client.remove(name, KEYCHAIN_SAVE_MS_MAX).catch(() => {});
  if (found !== value) throw new VaultError('secret_store', plainReason('locked collection'));
}

async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new VaultError('secret_store', plainReason(error instanceof Error ? error.message : ''), { cause: error });
  }
}

function account(vaultId: string): string {
  return `vault-${vaultId}`;
}
