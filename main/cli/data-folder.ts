import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The user of the service in the Linux packages. */
const SERVICE_USER = 'sluice';
/** Created by the Linux packages. */
export const SERVICE_FOLDER = '/var/lib/sluice';

/**
 * The data folder without `--data` (docs/spec/storage.md#data-folder). For root on a PC with the installed service, it
 * is that of the service.
 */
export function defaultDataFolder(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  user: () => string = () => userInfo().username,
  exists: (path: string) => boolean = existsSync,
): string {
  if (platform === 'win32') return join(environment['ProgramData'] ?? 'C:\\ProgramData', 'Sluice');
  if (platform === 'linux' && isUser(user, SERVICE_USER)) return SERVICE_FOLDER;
  if (platform === 'linux' && isUser(user, 'root') && exists(SERVICE_FOLDER)) return SERVICE_FOLDER;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Sluice');
  return join(environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'sluice');
}

function isUser(user: () => string, name: string): boolean {
  try {
    return user() === name;
  } catch {
    // A user ID without an entry in the user database (a container) has no name.
    return false;
  }
}
