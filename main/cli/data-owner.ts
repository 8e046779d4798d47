import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_FOLDER } from './data-folder.ts';
import { entryAt } from './entry-at.ts';
import { PlainError } from './plain-error.ts';

/**
 * Root on the data of another user, such as those of the installed service: what root made there, that user could not
 * open. Root may ask a running host (it does the work), and restores as the user whose folder it is.
 *
 * Security: in that folder its user may put a link to anybody's file; whose the link is counts, not what it leads to.
 * The folder itself may be a link: that lies in a folder of root's.
 */
interface Owner {
  uid: number;
  gid: number;
}

/** Throws PlainError when root would open data that belong to another user. */
export function refuseForeignData(dataDir: string): void {
  const owner = ownerOfVault(dataDir) ?? (dataDir === SERVICE_FOLDER ? ownerOfFolder(dataDir) : null);
  if (owner === null) return;
  throw new PlainError(
    `the data in ${dataDir} belong to another user than root; start that Sluice, which then does what is asked, or run the command as that user`,
  );
}

/** From here on this process is the user whose data folder it is, for good; nothing happens unless it is root's. */
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

/** Null: nobody else than us, or we are not root. */
function otherOwner(found: Stats | undefined): Owner | null {
  if (process.getuid?.() !== 0) return null;
  return found === undefined || found.uid === 0 ? null : { uid: found.uid, gid: found.gid };
}
