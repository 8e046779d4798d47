import { errorCode } from '#common/node/atomic-file.ts';
import { makePrivateFolder } from '#common/node/private-files.ts';
import { VaultError } from './errors.ts';
import { takeDataLock, type DataLock } from './lock.ts';

/** Makes the data folder, for its owner alone, and takes its lock. Throws VaultError with a plain sentence. */
export function claimDataFolder(dataDir: string): DataLock {
  try {
    makePrivateFolder(dataDir);
    return takeDataLock(dataDir);
  } catch (error) {
    if (error instanceof VaultError) throw error;
    const code = errorCode(error) || 'no system error';
    const text = `The data folder ${dataDir} cannot be used (${code}); expected a folder that this user owns and can write.`;
    throw new VaultError('folder', text, { cause: error });
  }
}
