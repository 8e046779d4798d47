import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#common/node/atomic-file.ts';
import type { Logger } from '#common/node/log.ts';
import { compareVersions } from '../cli/update/package-name.ts';
import { VaultError } from '../vault/errors.ts';
import { VAULT_FILE } from '../vault/recovery-hint.ts';
import { keepData, keptData } from './kept-data.ts';

/** The version of the release that last opened a data folder, in a file beside the data. */
export const LAST_VERSION_FILE = 'last-version';
const VERSION_FORM = /^\d{1,5}\.\d{1,5}\.\d{1,5}(?:-[\w.]{1,40})?$/;

/** Null: a release up to 1.0, which did not record it, or the file cannot be read. */
export function lastVersion(dataDir: string): string | null {
  const file = join(dataDir, LAST_VERSION_FILE);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8').trim();
  return VERSION_FORM.test(text) ? text : null;
}

/** Null removes the file, as if a release up to 1.0 had been the last. */
export async function recordVersion(dataDir: string, version: string | null): Promise<void> {
  if (version === lastVersion(dataDir)) return;
  const file = join(dataDir, LAST_VERSION_FILE);
  if (version === null) return rm(file, { force: true });
  await replaceFile(file, Buffer.from(`${version}\n`));
}

/**
 * Copies the data before a newer release opens it for the first time. If the copy fails, for example because the disk is
 * full, that is logged and the update continues.
 */
export async function keepBeforeUpdate(dataDir: string, version: string, log: Logger): Promise<void> {
  const from = lastVersion(dataDir);
  if (!existsSync(join(dataDir, VAULT_FILE))) return;
  if (from !== null && compareVersions(from, version) >= 0) return;
  try {
    const folder = await keepData(dataDir, from, version, new Date());
    log.info('the data was copied before the update', { from, to: version, folder });
  } catch (error) {
    log.warn('the data could not be copied before the update; a rollback is not possible', { version, error });
  }
}

/** The error of a release that is older than the data, with advice on how to return to the data before the update. */
export function withWayBack(error: unknown, dataDir: string, version: string): unknown {
  const from = lastVersion(dataDir);
  if (from === null || compareVersions(from, version) <= 0 || !(error instanceof Error)) return error;
  const kept = keptData(dataDir).find((one) => one.from === null || compareVersions(one.from, version) <= 0);
  const back =
    kept === undefined
      ? `Install Sluice ${from} or later again, or restore a backup that was made with ${version}.`
      : `Install Sluice ${from} or later again, or go back to the data of ${kept.createdAt} in ${kept.folder} with "sluice update rollback".`;
  return new VaultError(
    'too_new',
    `The data was last opened by Sluice ${from}, and this is ${version}: ${error.message} ${back}`,
    {
      cause: error,
    },
  );
}
