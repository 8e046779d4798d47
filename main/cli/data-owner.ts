import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_FOLDER } from './data-folder.ts';
import { entryAt } from './entry-at.ts';
import { PlainError } from './plain-error.ts';

/**
 * Root working on the data of another user, such as that of the installed service: that user could not open files
 * created by root. Root may use a running host (which does the work), and restores as the owner of the folder.
 *
 * Security: the folder's user may create a link to anybody's file in it, so the owner of the link counts, not that of
 * its target. The folder itself may be a link: it is in a folder of root.
 */
interface Owner {
  uid: number;
  gid: number;
}

/** Throws PlainError if root would open data that belongs to another user. */
export function refuseForeignData(dataDir: string): void {
  const owner = ownerOfVault(dataDir) ?? (dataDir === SERVICE_FOLDER ? ownerOfFolder(dataDir) : null);
  if (owner === null) return;
  throw new PlainError(
    `the data in ${dataDir} belongs to a user other than root; start Sluice, which then does the work, or run the command as that user`,
  );
}

/** From here on this process permanently runs as the owner of the data folder, unless that is root. */
export function becomeOwner(dataDir: string): void {
  const owner = ownerOfVault(dataDir) ?? ownerOfFolder(dataDir);
  if (owner === null) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
  process.umask(0o077);
}

const ownerOfVault = (dataDir: string): Owner | null =>
  otherOwner(entryAt(join(dataDir, 'vault.db'), { ofLink: true }));

const ownerOfFolder = (dataDir: string): Owner | null => otherOwner(entryAt(dataDir));

/** Null: the current user, or the current user is not root. */
function otherOwner(found: Stats | undefined): Owner | null {
  if (process.getuid?.() !== 0) return null;
  return found === undefined || found.uid === 0 ? null : { uid: found.uid, gid: found.gid };
}
