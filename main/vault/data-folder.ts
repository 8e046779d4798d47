import { readdirSync } from 'node:fs';
import { errorCode } from '#common/node/atomic-file.ts';
import { makePrivateFolder, openToOthers } from '#common/node/private-files.ts';
import { VaultError } from './errors.ts';
import { takeDataLock, type DataLock } from './lock.ts';

/** One of these identifies Sluice's own folder. */
const OURS = new Set(['vault.db', 'lock.sqlite', 'projects.sqlite', 'journal', 'setup-token']);
/** The top folder of a separate file system contains this. */
const NOT_COUNTED = 'lost+found';

/** Creates the data folder, for its owner only, and takes its lock. Throws VaultError with a plain sentence. */
export function claimDataFolder(dataDir: string): DataLock {
  try {
    refuseForeign(dataDir);
    makePrivateFolder(dataDir);
    return takeDataLock(dataDir);
  } catch (error) {
    if (error instanceof VaultError) throw error;
    const code = errorCode(error) || 'no system error';
    const text = `The data folder ${dataDir} cannot be used (${code}); expected a folder that this user owns and can write.`;
    throw new VaultError('folder', text, { cause: error });
  }
}

/** A mistyped `--data` must not restrict the access to a shared folder such as /tmp or /var/lib. */
function refuseForeign(dataDir: string): void {
  const names = namesIn(dataDir);
  if (names.length === 0 || names.some((name) => OURS.has(name))) return;
  if (process.platform !== 'win32' && !openToOthers(dataDir)) return;
  const text = `The data folder ${dataDir} holds files that are not Sluice's and would be closed to all others; expected an empty folder, a new name or Sluice's own.`;
  throw new VaultError('folder', text);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name !== NOT_COUNTED);
  } catch (error) {
    // A path that is not a folder is reported when the folder is created.
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
