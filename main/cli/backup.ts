import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createLogger } from '#common/node/log.ts';
import type { RestoreReport } from '../vault/restore.ts';
import { askData } from './ask-data.ts';
import { dataCommand } from './data-command.ts';
import { becomeOwner } from './data-owner.ts';
import { fileTrouble } from './file-trouble.ts';
import { askHost } from './host-call.ts';
import { runsFromPackage } from './packaged.ts';
import { PlainError } from './plain-error.ts';
import { readNewSecret, readSecret } from './read-secret.ts';
import { withServiceAdvice } from './service-secret.ts';
import { expectNewFile, writeNewFile } from './write-new-file.ts';

export const backup = dataCommand({
  name: 'backup',
  summary: 'writes one file that another PC can restore; its passphrase is typed or read from standard input',
  flags: { 'with-journal': { help: 'includes the audit journal in the backup' } },
  positionals: ['FILE'],
  run: async ({ args, options, print }) => {
    const file = resolve(args.positionals[0] ?? '');
    expectNewFile(file);
    const passphrase = await readNewSecret('Passphrase');
    const request = { command: 'backup', passphrase, includeJournal: args.flags.has('with-journal') } as const;
    await askData(options, request, { keep: (chunks) => writeNewFile(file, chunks) });
    print(`The backup is in ${file}.`);
  },
});

export const restore = dataCommand({
  name: 'restore',
  summary: 'restores a backup into a data folder while Sluice is stopped; the previous data is kept beside it',
  positionals: ['FILE'],
  run: async ({ args, options, print }) => {
    const file = resolve(args.positionals[0] ?? '');
    if (await isServed(options.dataDir))
      throw new PlainError(`Sluice is running on the data folder ${options.dataDir}; stop it first`);
    await using opened = await openBackup(file);
    const passphrase = await readSecret('Passphrase');
    const { restoreBackup } = await import('../vault/backup.ts');
    // The file is open: from here on only the folder is accessed, as the user who will serve from it.
    becomeOwner(options.dataDir);
    const { createdAt, replaced, journal } = await restoreBackup({
      ...options,
      file,
      opened,
      passphrase,
      packaged: runsFromPackage(process.execPath),
      log: createLogger('sluice'),
    }).catch((error: unknown) => {
      throw withServiceAdvice(error, options);
    });
    print(`The backup of ${createdAt} was restored into ${options.dataDir}.`);
    if (replaced !== null) print(`The previous data is kept in ${replaced}; delete it when you no longer need it.`);
    print(revocationsSince[journal]);
  },
});

async function openBackup(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (cause) {
    throw new PlainError(`the backup ${file} cannot be read: ${fileTrouble(cause)}`, { cause });
  }
  throw new PlainError(`the backup ${file} cannot be read: it is a folder or a device; expected a file`);
}

/** The user must know whether a key that was revoked since the backup becomes valid again. */
const revocationsSince = {
  kept: 'The audit journal is available: keys that were revoked and users who were deactivated after the backup are locked out again at the next start; a user who changed their password after the backup needs a new one.',
  other:
    'The audit journal of this folder is kept, but it is not that of the PC on which the backup was made: revocations there after the backup are unknown. From the next start, every key is refused until an Administrator has checked keys and users and confirmed the vault on the Overview or with "sluice vault confirm".',
  earlier:
    'The audit journal came with a backup that was restored earlier and ends with it: keys that it records as revoked are locked out at the next start. Repeat the revocations and deactivations that were made after that backup.',
  restored:
    'The audit journal ends with the backup: repeat the revocations and deactivations that were made since then.',
  none: 'No audit journal is available: repeat the revocations and deactivations that were made since the backup.',
} satisfies Record<RestoreReport['journal'], string>;

/** Checked before the passphrase is requested; the lock of the data folder is the final check. */
async function isServed(dataDir: string): Promise<boolean> {
  return (await askHost(dataDir, { command: 'plugin-list' })) !== null;
}
