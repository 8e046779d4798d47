/**
 * Why a vault could not be opened, created, backed up or restored. The message is one or two plain sentences for the
 * user of the command line, names the remedy if there is one and never contains a secret.
 */
export type VaultErrorReason =
  | 'folder'
  | 'locked'
  | 'missing'
  | 'unreadable'
  | 'too_new'
  | 'secret_lost'
  | 'secret_store'
  | 'closed'
  | 'backup'
  | 'passphrase';

export class VaultError extends Error {
  readonly reason: VaultErrorReason;

  constructor(reason: VaultErrorReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'VaultError';
    this.reason = reason;
  }
}
