import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'sql.js';
import { errorCode, type FileEdge } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import type { ChainHead } from '#common/model/audit.ts';
import { openSecretStore, storeOfKind, type StoreOptions } from '../keychain/open-store.ts';
import type { SecretStore, SecretStoreMode } from '../keychain/secret-store.ts';
import { claimDataFolder } from './data-folder.ts';
import type { VaultError } from './errors.ts';
import { loadImages, type Images } from './image-store.ts';
import { createLiveVault, type Opened, type OpenedVault } from './live-vault.ts';
import { dropMeta, putMeta, readMeta } from './meta.ts';
import { migrate } from './schema.ts';
import { newVaultId, openImage, readHeader, type ImageHeader } from './sealed-image.ts';
import { finishSwap } from './swap.ts';
import {
  expectNoTraces,
  intactPrevious,
  secretLost,
  unreadable,
  VAULT_FILE,
  type FindSecret,
} from './recovery-hint.ts';

/**
 * Opens or creates the vault of a data folder (docs/spec/storage.md#vault). The lock of the folder is held until
 * `close`.
 *
 * A vault is created only in a folder without traces of an earlier one. Anything that is missing or unreadable is a
 * VaultError whose message names the remedy. Security: the DB secret stays in this process, in no log and no error; the
 * folder is 0700, its files 0600.
 *
 * Known weaknesses: see file-store.ts and credential-store.ts for attacks with an older copy of everything.
 */
export interface OpenVaultOptions {
  dataDir: string;
  /** For a new vault; an existing one names its own store. */
  secretStore: SecretStoreMode;
  /** An installed package never falls back to a file automatically. */
  packaged: boolean;
  log: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Done with the folder's lock, before anything in it is opened. */
  beforeOpen?: () => Promise<void>;
  /** The current heads of the journal: part of every write. */
  heads?: () => ChainHead[];
  /** The state of the other stores; null: unknown. It is part of every write. */
  marks?: () => string | null;
  /** Functions for disk and keychain, replaced by tests. */
  files?: FileEdge;
  stores?: Pick<StoreOptions, 'keychain' | 'credentialsDir'>;
}

export async function openVault(options: OpenVaultOptions): Promise<OpenedVault> {
  const lock = claimDataFolder(options.dataDir);
  try {
    await finishSwap(options.dataDir, options.files);
    await rm(join(options.dataDir, `${VAULT_FILE}.new`), { force: true });
    await options.beforeOpen?.();
    const images = await loadImages();
    const opened = existsSync(join(options.dataDir, VAULT_FILE))
      ? await openExisting(images, options)
      : await makeNew(images, options);
    return await createLiveVault({ ...options, ...opened, now: options.now ?? Date.now, images, lock });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function makeNew(images: Images, options: OpenVaultOptions): Promise<Opened> {
  expectNoTraces(options.dataDir);
  const store = await openSecretStore(options.secretStore, options.packaged, storeOptions(options));
  const secret = store.fixedSecret ?? randomBytes(32);
  const vaultId = newVaultId();
  // First the secret: a vault whose secret was never stored could not be opened again.
  await closing(store, () => store.save(vaultId, secret, 0));
  const db = images.load();
  migrate(db);
  options.log.info('a new vault is created', { store: store.kind });
  return { db, store, vaultId, secret, generation: 0, lastGeneration: 0, stored: 0, writeFirst: true };
}

async function openExisting(images: Images, options: OpenVaultOptions): Promise<Opened> {
  const { log, secretStore } = options;
  const { store, record, header, image } = await readExisting(options);
  if (secretStore !== 'auto' && secretStore !== header.kind) {
    log.info('the vault keeps the secret store with which it was created', { asked: secretStore, store: header.kind });
  }
  return closing(store, async () => {
    const db = images.load(image);
    const migrated = migrate(db);
    const stored = record.generation;
    if (stored === null || header.generation < stored) markRolledBack(db, options);
    const lastGeneration = Math.max(header.generation, stored ?? 0);
    const { vaultId, generation } = header;
    return { db, store, vaultId, secret: record.secret, generation, lastGeneration, stored, writeFirst: migrated };
  });
}

export type ReadVaultOptions = Pick<OpenVaultOptions, 'dataDir' | 'log' | 'files' | 'stores'>;

/** The contents of the folder, and the store of its secret, which the caller closes. Writes nothing. */
export async function readExisting(options: ReadVaultOptions) {
  const file = await readVault(options);
  const claimed = await headerOf(file, options);
  const store = storeOfKind(claimed.kind, storeOptions(options));
  return closing(store, async () => {
    const record = await store.load(claimed.vaultId);
    if (record === null) throw await withoutSecret(claimed, options);
    const { header, image } = await openImage(record.secret, file).catch(async (error: unknown) => {
      const why = 'it is damaged or was sealed with another secret';
      throw await unreadable(options.dataDir, why, async () => record.secret, error);
    });
    return { store, record, header, image };
  });
}

async function readVault(options: ReadVaultOptions): Promise<Buffer> {
  try {
    return readFileSync(join(options.dataDir, VAULT_FILE));
  } catch (error) {
    throw await unreadable(options.dataDir, `it cannot be read (${errorCode(error)})`, findSecret(options), error);
  }
}

async function headerOf(file: Buffer, options: ReadVaultOptions): Promise<ImageHeader> {
  try {
    return readHeader(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'its header is damaged';
    throw await unreadable(options.dataDir, why, findSecret(options), error);
  }
}

/** A damaged header may name a vault that never existed; then the previous generation can still find its secret. */
async function withoutSecret({ kind, vaultId }: ImageHeader, options: ReadVaultOptions): Promise<VaultError> {
  const find = findSecret(options);
  if ((await intactPrevious(options.dataDir, find)) === null) return secretLost(options.dataDir, kind, vaultId);
  return unreadable(options.dataDir, 'its header is damaged', find, undefined);
}

function findSecret(options: ReadVaultOptions): FindSecret {
  return async ({ kind, vaultId }) => {
    const store = storeOfKind(kind, storeOptions(options));
    return closing(store, async () => (await store.load(vaultId))?.secret ?? null).finally(() => store.close());
  };
}

/** Inside the image, so that the alarm survives the next write and the next start. */
function markRolledBack(db: Database, { log, now = Date.now }: OpenVaultOptions): void {
  log.error('the vault is older than the last one written: an earlier state was restored');
  dropMeta(db, 'acts_replayed_at');
  if (readMeta(db, 'rolled_back_at') === null) putMeta(db, 'rolled_back_at', new Date(now()).toISOString());
}

async function closing<T>(store: SecretStore, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    store.close();
    throw error;
  }
}

function storeOptions({ dataDir, log, stores, files }: ReadVaultOptions): StoreOptions {
  return { ...stores, folder: dataDir, log, ...(files && { files }) };
}
