import type { SecretRecord } from './secret-record.ts';

/**
 * The place of a DB secret. The header of a vault names its type, which never changes (docs/spec/storage.md#secret).
 */
export type SecretStoreKind = 'keychain' | 'credential' | 'file';
/** The values of `--secret-store`. Only used for a new vault. */
export type SecretStoreMode = 'auto' | SecretStoreKind;

export interface SecretStore {
  readonly kind: SecretStoreKind;
  /** The secret that a new vault must use, if the store already has one (`credential`). */
  readonly fixedSecret: Buffer | null;
  /** Null: there is no record for this vault. Throws VaultError `secret_store` if the store is unavailable. */
  load(vaultId: string): Promise<SecretRecord | null>;
  /** Stores the secret with the generation; throws VaultError `secret_store`. */
  save(vaultId: string, secret: Buffer, generation: number): Promise<void>;
  /** Removes a vault. Best effort. */
  forget(vaultId: string): Promise<void>;
  close(): void;
}
