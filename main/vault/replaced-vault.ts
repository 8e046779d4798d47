import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storeOfKind, type StoreOptions } from '../keychain/open-store.ts';
import { loadImages } from './image-store.ts';
import { readMeta } from './meta.ts';
import { type RestoreNote, restoreNotes } from './restore-notes.ts';
import { openImage, readHeader } from './sealed-image.ts';
import { VAULT_FILE } from './recovery-hint.ts';

/** The vault that a restore is about to replace. */
export interface ReplacedVault {
  /** The root of its key hashes: shows whether it belongs to the same installation as the backup. */
  derivationRoot: Buffer;
  journalLine: string;
  /** True while it counts as older than the last one written. */
  rolledBack: boolean;
  /** It was restored and has not been opened since: the journal in the folder does not belong to it. */
  neverOpened: boolean;
  /** Notes of restores that are not in the journal yet. */
  notes: RestoreNote[];
  /** From now on it counts as rolled back, in case it is used again. Best effort: never throws. */
  outdate(): Promise<void>;
}

/** Null if there is none or it cannot be opened: restoring is meant to replace such a vault. */
export async function findReplaced(dataDir: string, options: StoreOptions): Promise<ReplacedVault | null> {
  try {
    const file = readFileSync(join(dataDir, VAULT_FILE));
    const { vaultId, kind } = readHeader(file);
    const store = storeOfKind(kind, options);
    try {
      const record = await store.load(vaultId);
      if (record === null) return null;
      const { header, image } = await openImage(record.secret, file);
      return {
        ...(await factsOf(image, record.secret, vaultId)),
        // Files of other stores have moved away with it; only the entry in a keychain remains.
        outdate: async () => {
          if (kind !== 'keychain') return;
          const generation = Math.max(header.generation, record.generation ?? 0) + 1;
          try {
            const again = storeOfKind(kind, options);
            await again.save(vaultId, record.secret, generation).finally(() => again.close());
          } catch (error) {
            options.log.warn('the replaced vault could not be marked as outdated in the keychain', { error });
          }
        },
      };
    } finally {
      store.close();
    }
  } catch {
    return null;
  }
}

async function factsOf(image: Uint8Array, secret: Buffer, vaultId: string): Promise<Omit<ReplacedVault, 'outdate'>> {
  const db = (await loadImages()).load(image);
  try {
    const root = readMeta(db, 'derivation_root');
    return {
      derivationRoot: root === null ? secret : Buffer.from(root, 'base64url'),
      journalLine: readMeta(db, 'journal_line') ?? vaultId,
      rolledBack: readMeta(db, 'rolled_back_at') !== null,
      neverOpened: readMeta(db, 'never_opened') !== null,
      notes: restoreNotes(db),
    };
  } finally {
    db.close();
  }
}
