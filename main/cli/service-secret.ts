import type { SecretStoreChoice } from './options.ts';
import { VaultError } from '../vault/errors.ts';
import { SERVICE_FOLDER } from './data-folder.ts';
import { PlainError } from './plain-error.ts';

/**
 * The installed service has no desktop session, so advice about its keychain is useless: returns the error for a
 * technician instead, or the same error for any other folder, choice or cause.
 */
export function withServiceAdvice(error: unknown, given: { dataDir: string; secretStore: SecretStoreChoice }): unknown {
  const isService = given.dataDir === SERVICE_FOLDER && given.secretStore === 'auto';
  if (!isService || !(error instanceof VaultError) || error.reason !== 'secret_store') return error;
  if (!error.message.includes('keychain')) return error;
  const sentence =
    'a service has no OS keychain for its secret: add --secret-store file, or run the command under systemd-run with ' +
    '--secret-store credential, as the guide "Backup and restore" shows under "Where the new secret is stored"';
  return new PlainError(sentence, { cause: error });
}
