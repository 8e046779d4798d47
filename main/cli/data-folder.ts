import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The user that the Linux packages run the service as. */
const SERVICE_USER = 'sluice';

/** Where data goes without `--data` (behaviour 14). */
export function defaultDataFolder(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  user: () => string = () => userInfo().username,
): string {
  if (platform === 'win32') return join(environment['ProgramData'] ?? 'C:\\ProgramData', 'Sluice');
  if (platform === 'linux' && isServiceUser(user)) return '/var/lib/sluice';
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Sluice');
  return join(environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'sluice');
}

function isServiceUser(user: () => string): boolean {
  try {
    return user() === SERVICE_USER;
  } catch {
    // A user id without an entry in the user database (a container) has no name.
    return false;
  }
}
