import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'sql.js';
import { replaceFile, type FileEdge } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import { GENERATION_FILE } from '../keychain/credential-store.ts';
import { SECRET_FILE } from '../keychain/file-store.ts';
import { openSecretStore, type StoreOptions } from '../keychain/open-store.ts';
import type { SecretStore, SecretStoreMode } from '../keychain/secret-store.ts';
import { claimDataFolder } from './data-folder.ts';
import { VaultError } from './errors.ts';
import { loadImages } from './image-store.ts';
import { dropMeta, type MetaName, putMeta } from './meta.ts';
import { findReplaced } from './replaced-vault.ts';
import { putRestoreNotes, type RestoreNote } from './restore-notes.ts';
import { type Plan, planned } from './restore-plan.ts';
import { migrate } from './schema.ts';
import { newVaultId, sealImage } from './sealed-image.ts';
import { commitSwap, finishSwap, PENDING_FILE, STAGING_PREFIX } from './swap.ts';
import { unpack, type Unpacked } from './unpack.ts';
import { VAULT_FILE } from './recovery-hint.ts';

/**
 * Restores a backup into a data folder (docs/spec/storage.md#restore), while no Sluice runs on it, completely or not at
 * all: everything is unpacked and verified in a folder beside it, then swapped in. The replaced files are kept in
 * `replaced-<time>`.
 *
 * The restored vault has a new id and a new DB secret in this machine's own store; the root of key hashes is inside the
 * image, so every existing key is accepted. Over an existing vault or journal the restored one counts as rolled back: a
 * key revoked since the backup must not become valid again unnoticed, so the host replays later removals of rights from
 * the journal. The journal of this folder is kept, unless it belongs to another installation: a spare PC's first start
 * has created a vault there, and beside it, a journal counts if its anchors prove that it is the backup's own. If the
 * folder was in use with another copy of the same installation, its journal does not know the revocations of the
 * backup's PC: every key is refused until a user decides. A folder that has not been opened since its last restore
 * counts as before that.
 *
 * Known weakness: `replaced-<time>` is kept until a user removes it. Its vault can be opened by the keychain entry that
 * is left for it, and then counts as rolled back.
 */
export interface BackupSource {
  /** The backup. */
  file: string;
  /** The same file, already opened by a process that may read it; otherwise it is opened here. */
  opened?: FileHandle;
  passphrase: string;
  dataDir: string;
}

export interface RestoreTarget {
  dataDir: string;
  /** Absent: somebody on the command line. */
  user?: string;
  secretStore: SecretStoreMode;
  packaged: boolean;
  log: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
  files?: FileEdge;
  stores?: Pick<StoreOptions, 'keychain' | 'credentialsDir'>;
}

export type RestoreOptions = BackupSource & RestoreTarget;

/** A backup that was unpacked and verified beside the data. The image of its vault is in memory only. */
export interface PreparedRestore {
  /** Path of the staging folder. */
  staging: string;
  unpacked: Unpacked;
}

export interface RestoreReport {
  /** The former content of the folder, or null if there was none. */
  replaced: string | null;
  /**
   * `kept`: this folder's, which continues that of the backup. `other`: this folder's, of another PC of the
   * installation. `earlier`: it came with an earlier backup and ends there. `restored`: it ends with this backup.
   */
  journal: RestoreNote['journal'];
  /** When the backup was made. */
  createdAt: string;
}

/**
 * Throws VaultError with a plain sentence; the folder is then unchanged. Once the swap has begun it will be completed:
 * an error in the middle is thrown too, and the next start completes it.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { dataDir, files } = options;
  const lock = claimDataFolder(dataDir);
  try {
    await finishSwap(dataDir, files);
    return await swapIn(await prepareRestore(options), options);
  } finally {
    lock.release();
  }
}

/**
 * The part of a restore that may run beside a host: it unpacks and verifies the backup in a staging folder of the data
 * folder. Throws VaultError with a plain sentence; then the staging folder is removed. A start removes one that is left.
 */
export async function prepareRestore(source: BackupSource): Promise<PreparedRestore> {
  const staging = await mkdtemp(join(source.dataDir, STAGING_PREFIX));
  try {
    return { staging, unpacked: await unpack(source, source.passphrase, staging) };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/** The other part, while no Sluice runs on the folder. Throws as `restoreBackup` does. */
export async function restorePrepared(prepared: PreparedRestore, target: RestoreTarget): Promise<RestoreReport> {
  const lock = claimDataFolder(target.dataDir);
  try {
    return await swapIn(prepared, target);
  } finally {
    lock.release();
  }
}

async function swapIn(prepared: PreparedRestore, target: RestoreTarget): Promise<RestoreReport> {
  try {
    return await restoreFrom(prepared, target);
  } catch (error) {
    // A swap that has begun needs its staging folder: the next start ends it.
    if (!existsSync(join(target.dataDir, PENDING_FILE))) await rm(prepared.staging, { recursive: true, force: true });
    throw error;
  }
}

async function restoreFrom({ staging, unpacked }: PreparedRestore, options: RestoreTarget): Promise<RestoreReport> {
  const { dataDir, log, now = Date.now, files } = options;
  const old = await findReplaced(dataDir, { ...options.stores, folder: dataDir, log });
  const plan = planned(dataDir, staging, unpacked, old, now());
  const notes = old?.notes ?? [];
  const { store, vaultId } = await stagedVault(staging, unpacked, { ...plan, notes }, options);
  try {
    await commitSwap(dataDir, { ...plan.swap, incoming: [...plan.swap.incoming, ...stagedFiles(staging)] }, files);
  } catch (error) {
    if (!existsSync(join(dataDir, PENDING_FILE))) await store.forget(vaultId);
    throw error;
  } finally {
    store.close();
  }
  // The folder contains the restored vault: the following steps cannot fail any more.
  await old?.outdate();
  const { createdAt } = unpacked.manifest;
  const replaced = plan.swap.outgoing.length > 0 ? join(dataDir, plan.swap.replaced) : null;
  log.info('a backup was restored', { createdAt, replaced, journal: plan.journal });
  return { replaced, journal: plan.journal, createdAt };
}

function stagedFiles(staging: string): string[] {
  return [VAULT_FILE, SECRET_FILE, GENERATION_FILE].filter((name) => existsSync(join(staging, name)));
}

interface StagedVault {
  store: SecretStore;
  vaultId: string;
}

/** Encrypts the image for this machine, with a new secret, in the staging folder. */
async function stagedVault(
  staging: string,
  unpacked: Unpacked,
  plan: Plan & { notes: readonly RestoreNote[] },
  options: RestoreTarget,
): Promise<StagedVault> {
  const { secretStore, packaged, log, stores, user, now = Date.now } = options;
  const image = await preparedImage(unpacked, plan, now(), user);
  const store = await openSecretStore(secretStore, packaged, { ...stores, folder: staging, log });
  const vaultId = newVaultId();
  const generation = unpacked.manifest.generation + 1;
  try {
    const secret = store.fixedSecret ?? randomBytes(32);
    await store.save(vaultId, secret, generation);
    const sealed = await sealImage(secret, { vaultId, generation, kind: store.kind }, image);
    await replaceFile(join(staging, VAULT_FILE), sealed);
    return { store, vaultId };
  } catch (error) {
    await store.forget(vaultId);
    store.close();
    throw error;
  }
}

async function preparedImage(
  { image, manifest }: Unpacked,
  plan: Plan & { notes: readonly RestoreNote[] },
  time: number,
  user: string | undefined,
): Promise<Uint8Array> {
  const db = (await loadImages()).load(image);
  try {
    expectWhole(db);
    migrate(db);
    putMeta(db, 'derivation_root', manifest.derivationRoot);
    if (plan.overOld) putMeta(db, 'rolled_back_at', new Date(time).toISOString());
    dropMeta(db, 'acts_replayed_at');
    // All actions that were completed when the backup was made are in it.
    putMeta(db, 'acts_since', manifest.createdAt);
    // Files of the other folder.
    dropMeta(db, 'stores');
    dropMeta(db, 'stores_lost');
    setMeta(db, 'journal_line', plan.journalLine);
    setMeta(db, 'journal_incomplete', plan.journal === 'other' ? manifest.createdAt : null);
    putMeta(db, 'never_opened', manifest.createdAt);
    const note = {
      at: new Date(time).toISOString(),
      createdAt: manifest.createdAt,
      journal: plan.journal,
      ...(user !== undefined && { user }),
    };
    putRestoreNotes(db, [...plan.notes, note]);
    // The proof of a journal that is not here would look removed.
    if (plan.journal !== 'restored' && plan.journal !== 'kept') dropMeta(db, 'journal_proof');
    // Heads of a missing journal would look like a truncated journal.
    if (plan.journal !== 'restored') takeHeads(db);
    return db.export();
  } finally {
    db.close();
  }
}

/** Everything that the backup has under that name belongs to its own folder. */
function setMeta(db: Database, name: MetaName, value: string | null): void {
  if (value === null) dropMeta(db, name);
  else putMeta(db, name, value);
}

function takeHeads(db: Database): void {
  db.run('DELETE FROM journal_heads');
  dropMeta(db, 'anchors_log_since');
}

export function expectWhole(db: Database): void {
  const [result] = db.exec('PRAGMA integrity_check');
  if (result?.values[0]?.[0] !== 'ok') throw new VaultError('backup', 'The vault in the backup is damaged.');
}
