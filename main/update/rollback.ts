import { readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { claimDataFolder } from '../vault/data-folder.ts';
import { VaultError } from '../vault/errors.ts';
import { commitSwap, finishSwap, PENDING_FILE, STAGING_PREFIX } from '../vault/swap.ts';
import { PREVIOUS_FILE, PROJECTS_FILE, VAULT_FILE } from '../vault/recovery-hint.ts';
import { BACKUPS_FOLDER, keptData, type KeptData } from './kept-data.ts';
import { recordVersion } from './last-version.ts';

/** Side files of SQLite belong to their database. */
const REPLACED = new Set([VAULT_FILE, PREVIOUS_FILE, PROJECTS_FILE, `${PROJECTS_FILE}-wal`, `${PROJECTS_FILE}-shm`]);

export interface RollbackReport {
  kept: KeptData;
  /** The new location of the replaced vault and project store. */
  replaced: string;
}

/**
 * Replaces vault and project store by the newest copy from before an update, both or neither. No Sluice may run on the
 * folder. The vault then counts as restored: the next start revokes again what was revoked since, according to the
 * journal. Throws VaultError when there is no copy.
 */
export async function rollBack(dataDir: string, now = new Date()): Promise<RollbackReport> {
  // Checked before locking, because the lock creates the folder, even a mistyped one.
  const [kept] = keptData(dataDir);
  if (kept === undefined)
    throw new VaultError(
      'backup',
      `There is no copy from before an update in ${join(dataDir, BACKUPS_FOLDER)}; restore a backup with "sluice restore".`,
    );
  const lock = claimDataFolder(dataDir);
  try {
    await finishSwap(dataDir);
    const replaced = `replaced-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
    await swapIn(dataDir, kept, replaced);
    await recordVersion(dataDir, kept.from);
    return { kept, replaced: join(dataDir, replaced) };
  } finally {
    lock.release();
  }
}

async function swapIn(dataDir: string, kept: KeptData, replaced: string): Promise<void> {
  const staging = await mkdtemp(join(dataDir, STAGING_PREFIX));
  try {
    for (const name of kept.files) await copyFile(join(kept.folder, name), join(staging, name));
    const outgoing = readdirSync(dataDir).filter((name) => REPLACED.has(name));
    await commitSwap(dataDir, { staging: basename(staging), replaced, outgoing, incoming: kept.files });
  } catch (error) {
    // A swap that has begun needs its staging folder: the next start completes it.
    if (!readdirSync(dataDir).includes(PENDING_FILE)) await rm(staging, { recursive: true, force: true });
    throw error;
  }
}
