import { readFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode } from '#common/node/atomic-file.ts';
import { GENERATION_FILE } from '../keychain/credential-store.ts';
import { SECRET_FILE } from '../keychain/file-store.ts';
import type { SecretStoreKind } from '../keychain/secret-store.ts';
import { VaultError } from './errors.ts';
import { openImage, readHeader, type ImageHeader } from './sealed-image.ts';

/**
 * Files of a data folder, and the message if one is lost: each sentence names the recovery
 * (docs/spec/storage.md#lost-files).
 */
export const VAULT_FILE = 'vault.db';
export const PREVIOUS_FILE = 'vault.db.previous';
export const PROJECTS_FILE = 'projects.sqlite';

/** Created only beside a vault, and useless without it. */
const OF_A_VAULT = ['outbox.sqlite', 'history.sqlite', 'anchors'];

const RESTORE = 'restore a backup with "sluice restore"';
export const PROJECTS_RECOVERY = `Restore it from a copy while Sluice is stopped, or ${RESTORE}`;

/** `fault`: missing or empty. */
export function projectsLost(dataDir: string, fault: 'missing' | 'empty'): VaultError {
  const file = join(dataDir, PROJECTS_FILE);
  return new VaultError(
    'missing',
    `The project store ${file} is ${fault}, but the vault beside it has been in use. ${PROJECTS_RECOVERY}; to continue without any projects, run "sluice vault confirm".`,
  );
}

/** Finds the secret for a header; null if there is none. */
export type FindSecret = (header: ImageHeader) => Promise<Buffer | null>;

export async function unreadable(dataDir: string, why: string, find: FindSecret, cause: unknown): Promise<VaultError> {
  const file = join(dataDir, VAULT_FILE);
  const text = `The vault ${file} cannot be opened: ${why}. ${await wayBack(dataDir, find)}`;
  return new VaultError('unreadable', text, { cause });
}

async function wayBack(dataDir: string, find: FindSecret): Promise<string> {
  const generation = await intactPrevious(dataDir, find);
  if (generation === null) return `There is no previous generation that can be opened: ${RESTORE}.`;
  return `Its previous generation, ${generation}, is intact: rename ${PREVIOUS_FILE} to ${VAULT_FILE} to return to it, or ${RESTORE}.`;
}

/** The number of the previous generation if it can be opened, otherwise null. */
export async function intactPrevious(dataDir: string, find: FindSecret): Promise<number | null> {
  try {
    const file = readFileSync(join(dataDir, PREVIOUS_FILE));
    const secret = await find(readHeader(file));
    return secret && (await openImage(secret, file)).header.generation;
  } catch {
    return null;
  }
}

export function secretLost(dataDir: string, kind: SecretStoreKind, vaultId: string): VaultError {
  const file = join(dataDir, VAULT_FILE);
  const hints = {
    keychain: `this user's keychain has no entry "vault-${vaultId}" for it. Start Sluice as the user who created the vault, restore the keychain, or ${RESTORE}`,
    credential: `systemd passed none. Pass the credential that it was created with, or ${RESTORE}`,
    file: `${SECRET_FILE} beside it is missing or damaged. Restore it from a copy, or ${RESTORE}`,
  } satisfies Record<SecretStoreKind, string>;
  return new VaultError('secret_lost', `The secret of the vault ${file} is lost: ${hints[kind]}.`);
}

/** Refuses to create an empty vault where one existed before. */
export function expectNoTraces(dataDir: string): void {
  const traces = [PREVIOUS_FILE, PROJECTS_FILE, ...OF_A_VAULT].filter((name) => existsSync(join(dataDir, name)));
  traces.push(...[SECRET_FILE, GENERATION_FILE].filter((name) => namesAGeneration(join(dataDir, name))));
  if (traces.length === 0) return;
  const previous = traces.includes(PREVIOUS_FILE) ? `rename ${PREVIOUS_FILE} to ${VAULT_FILE}, ` : '';
  throw new VaultError(
    'missing',
    `The vault ${join(dataDir, VAULT_FILE)} is missing, but ${traces.join(' and ')} of it ${traces.length > 1 ? 'are' : 'is'} there: ${previous}restore it from a copy, or ${RESTORE}; to start over, name an empty data folder.`,
  );
}

/** A crash during the very first start leaves a secret file of generation 0: no vault was ever written. */
function namesAGeneration(file: string): boolean {
  try {
    return !/\.0\.[^.]+$/.test(readFileSync(file, 'utf8').trim());
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw new VaultError('secret_store', `The file ${basename(file)} beside the vault cannot be read.`, {
      cause: error,
    });
  }
}
