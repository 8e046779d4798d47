import { existsSync } from 'node:fs';
import { defaultDataFolder, SERVICE_FOLDER } from './data-folder.ts';
import { PlainError } from './plain-error.ts';

/**
 * A command without `--data` on a PC with the installed service uses the data of the service, not an empty folder of
 * the user.
 */
export function expectOwnService(dataDir: string): void {
  if (dataDir === defaultDataFolder() && dataDir !== SERVICE_FOLDER && existsSync(SERVICE_FOLDER))
    throw new PlainError(
      `there is no Sluice data in ${dataDir}; the data of the service is in ${SERVICE_FOLDER}: run the command with sudo`,
    );
}
