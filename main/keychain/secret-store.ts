import type { SecretRecord } from './secret-record.ts';

/**
 * Where a DB secret lives. A vault's header names the kind it was made with; that never changes
 * (docs/spec/storage.md#secret).
 */
export type SecretStoreKind = 'keychain' | 'credential' | 'file';
/** The values of `--secret-store`. Only used for a new vault. */
export type SecretStoreMode = 'auto' | SecretStoreKind;

export interface SecretStore {
  readonly kind: SecretStoreKind;
  /** The secret that a new vault must use, when the store has one already (`credential`). */
  readonly fixedSecret: Buffer | null;
  /** Null: there is no record for this vault. Throws VaultError `secret_store` when the store cannot be asked. */
  load(vaultId: string): Promise<SecretRecord | null>;
  /** Stores the secret with the generation; throws VaultError `secret_store`. */
  save(vaultId: string, secret: Buffer, generation: number): Promise<void>;
  /** Forgets a vault. Best effort. */
  forget(vaultId: string): Promise<void>;
  close(): void;
}
