import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainHead } from '#common/model/audit.ts';
import { VaultError } from './errors.ts';
import { loadImages } from './image-store.ts';
import { headsIn } from './journal-heads.ts';
import { takeDataLock } from './lock.ts';
import { readMeta } from './meta.ts';
import { deriveKey } from './sealed-image.ts';
import { PENDING_FILE } from './swap.ts';
import { type ReadVaultOptions, readExisting } from './vault.ts';

/** The data of the vault that `audit verify` needs. */
export interface VaultFacts {
  heads: ChainHead[];
  /** Whether the vault has recorded that the journal has an anchors log. */
  logExpected: boolean;
  derive(purpose: string): Buffer;
}

/**
 * Reads the vault of a folder that no Sluice has open, without changing a byte in it: evidence must remain unchanged.
 * The folder's lock is held while `use` runs. Throws VaultError with a plain sentence.
 */
export async function withVaultRead<T>(options: ReadVaultOptions, use: (facts: VaultFacts) => Promise<T>): Promise<T> {
  const { dataDir } = options;
  if (existsSync(join(dataDir, PENDING_FILE))) {
    const text = `A restore into ${dataDir} is not finished: start Sluice once, which ends it, then verify.`;
    throw new VaultError('folder', text);
  }
  // A folder without a lock file is a copy, which nobody has open; creating one would change it.
  const lock = existsSync(join(dataDir, 'lock.sqlite')) ? takeDataLock(dataDir) : null;
  try {
    const { store, record, image } = await readExisting(options);
    store.close();
    const db = (await loadImages()).load(image);
    try {
      const root = readMeta(db, 'derivation_root');
      const secret = root === null ? record.secret : Buffer.from(root, 'base64url');
      const logExpected = readMeta(db, 'anchors_log_since') !== null;
      return await use({ heads: headsIn(db), logExpected, derive: (purpose) => deriveKey(secret, purpose) });
    } finally {
      db.close();
    }
  } finally {
    lock?.release();
  }
}
