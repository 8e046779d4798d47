import { join } from 'node:path';
import type { Database } from 'sql.js';
import { SluiceError } from '#common/errors/catalogue.ts';
import { replaceFile, type FileEdge } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import type { ChainHead } from '#common/model/audit.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { Vault } from '../contracts.ts';
import { VaultError } from './errors.ts';
import { createGenerationKeeper } from './generation-keeper.ts';
import { freeze, type Images } from './image-store.ts';
import { headsIn, putHeads } from './journal-heads.ts';
import type { DataLock } from './lock.ts';
import { dropMeta, putMeta, readMeta } from './meta.ts';
import { createMutationQueue, type Mutation } from './mutation-queue.ts';
import { deriveKey, sealImage } from './sealed-image.ts';
import { PREVIOUS_FILE, VAULT_FILE } from './recovery-hint.ts';

/**
 * The vault in use. Reads see the image that is on disk, never one that is still being written: a batch of mutations
 * works on a copy, which replaces the live image once it is durable and is discarded if it cannot be written.
 *
 * Copying and exporting the image stay on the event loop (about 5 ms at 0.4 MB); encrypting, writing, flushing and
 * verifying do not.
 */
export interface OpenedVault extends Vault {
  /** Hex; new with each restore. */
  readonly vaultId: string;
  /** Permanent alarms of the vault. */
  readonly notices: readonly VaultNotice[];
  /** An Administrator accepts the older state: the alarm is cleared permanently. */
  confirmRollback(): Promise<void>;
  /**
   * Like `mutate`, but if the image cannot be written, the change still takes effect in memory, and the result is
   * false. The next write contains it. Only for the start, before anything else changes the vault.
   */
  mutateAnyway(change: (db: Database) => void): Promise<boolean>;
  /** Writes the journal's heads and the stores' stamps if they have changed (hourly; also done by `close`). */
  recordHeads(): Promise<void>;
  /** Only for `writeBackup`: resolves when every change in the image has been reported to its caller. */
  settled(): Promise<void>;
  /** Only for `writeBackup`: the unencrypted image and the root of derived keys. */
  backupContents(): { image: Uint8Array; derivationRoot: Buffer; generation: number; journalLine: string };
}

export interface VaultNotice {
  code: 'secret_unprotected' | 'vault_rolled_back' | 'generation_behind';
  text: string;
}

const NOTICES = {
  secret_unprotected: 'The secret is not protected by the keychain: it is in a file beside the vault.',
  vault_rolled_back: 'The vault is older than the last one written: check keys and users, then confirm it.',
  generation_behind:
    'The keychain does not accept the generation of the vault: a restored older vault may not be detected.',
} satisfies Record<VaultNotice['code'], string>;

/** The result of opening: enough for the live vault to continue. */
export interface Opened {
  db: Database;
  store: SecretStore;
  vaultId: string;
  secret: Buffer;
  /** The generation on disk; 0 for a vault that is not written yet. */
  generation: number;
  /** The highest generation that ever existed, as far as is known. */
  lastGeneration: number;
  /** The content of the secret store; null if it is lost. */
  stored: number | null;
  /** The image must be written before anything else. */
  writeFirst: boolean;
}

export interface LiveVaultOptions extends Opened {
  dataDir: string;
  log: Logger;
  now: () => number;
  heads?: () => ChainHead[];
  marks?: () => string | null;
  files?: FileEdge;
  images: Images;
  lock: DataLock;
}

export async function createLiveVault(options: LiveVaultOptions): Promise<OpenedVault> {
  const { dataDir, log, now, heads, marks, files, images, lock, store, vaultId, secret } = options;
  const keeper = createGenerationKeeper({ store, vaultId, secret, now, log });
  let { generation, lastGeneration } = options;
  let bytes = options.db.export();
  let db: Database | null = freeze(options.db);
  const queue = createMutationQueue(write);

  function live(): Database {
    if (db === null) throw new VaultError('closed', 'The vault is closed.');
    return db;
  }

  /** Encrypts and writes the copy; from then on it is the live image. */
  async function putOnDisk(working: Database): Promise<void> {
    if (heads) putHeads(working, heads());
    const stores = marks?.() ?? null;
    if (stores !== null) putMeta(working, 'stores', stores);
    const image = working.export();
    // A number is never used twice, whether its write succeeded or not.
    const next = ++lastGeneration;
    const sealed = await sealImage(secret, { vaultId, generation: next, kind: store.kind }, image);
    const previous = join(dataDir, PREVIOUS_FILE);
    await replaceFile(join(dataDir, VAULT_FILE), sealed, { previous, ...(files && { files }) });
    const replaced = live();
    [db, bytes, generation] = [freeze(working), image, next];
    replaced.close();
    await keeper.save(next);
  }

  async function write(batch: Mutation[]): Promise<void> {
    const working = images.load(bytes);
    const applied = batch.filter((mutation) => applies(mutation, working));
    try {
      if (applied.length > 0) await putOnDisk(working);
      for (const mutation of applied) mutation.resolve();
    } catch (error) {
      log.error('the vault could not be written; the changes are undone', { error });
      const detail = 'The vault could not be written, so nothing was changed; look at the disk of the data folder.';
      for (const mutation of applied) mutation.reject(new SluiceError('internal', detail, { cause: error }));
    }
    if (db !== working) working.close();
  }

  async function mutateAnyway(change: (db: Database) => void): Promise<boolean> {
    try {
      await queue.add(change);
      return true;
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== 'internal') throw error;
    }
    const working = images.load(bytes);
    change(working);
    bytes = working.export();
    const replaced = live();
    db = freeze(working);
    replaced.close();
    return false;
  }

  async function recordHeads(): Promise<void> {
    const present = heads?.() ?? [];
    const known = new Map(headsIn(live()).map((head) => [head.chain, head.hash]));
    const stores = marks?.() ?? null;
    const isKnown = stores === null || stores === readMeta(live(), 'stores');
    if (isKnown && present.every(({ chain, hash }) => known.get(chain) === hash)) return;
    await queue.add(() => {});
  }

  async function close(): Promise<void> {
    if (db === null) return;
    await recordHeads().catch((error: unknown) => log.warn('the journal heads could not be recorded', { error }));
    await queue.close();
    if (keeper.behind) await keeper.save(generation, 'now');
    db?.close();
    db = null;
    store.close();
    lock.release();
  }

  const vault: OpenedVault = {
    vaultId,
    secretStore: store.kind,
    get generation() {
      return generation;
    },
    get rolledBack() {
      return readMeta(live(), 'rolled_back_at') !== null;
    },
    get notices() {
      const codes: VaultNotice['code'][] = [];
      if (store.kind === 'file') codes.push('secret_unprotected');
      if (vault.rolledBack) codes.push('vault_rolled_back');
      if (keeper.behind) codes.push('generation_behind');
      return codes.map((code) => ({ code, text: NOTICES[code] }));
    },
    read: (query) => query(live()),
    mutate: (change) => queue.add(change),
    mutateAnyway,
    rehearse(change) {
      const copy = images.load(bytes);
      try {
        change(copy);
      } finally {
        copy.close();
      }
    },
    derive: (purpose) => deriveKey(derivationRoot(), purpose),
    confirmRollback: () => queue.add((working) => dropMeta(working, 'rolled_back_at')),
    recordHeads,
    settled: queue.settled,
    backupContents: () => ({
      image: bytes,
      derivationRoot: derivationRoot(),
      generation,
      journalLine: readMeta(live(), 'journal_line') ?? vaultId,
    }),
    close,
  };

  function derivationRoot(): Buffer {
    const restored = readMeta(live(), 'derivation_root');
    return restored === null ? secret : Buffer.from(restored, 'base64url');
  }

  if (options.writeFirst) await vault.mutate(() => {});
  // After a crash between the write and the keychain, the keychain has an older generation; it is updated here.
  else if (options.stored !== null && generation > options.stored) await keeper.save(generation);
  return vault;
}

/** False if the change itself threw: it is rejected and undone, the others of its batch continue. */
function applies(mutation: Mutation, working: Database): boolean {
  try {
    mutation.apply(working);
    return true;
  } catch (error) {
    mutation.reject(error);
    return false;
  }
}
