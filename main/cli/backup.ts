import { resolve } from 'node:path';
import { createLogger } from '#common/node/log.ts';
import { askData } from './ask-data.ts';
import type { Command } from './command.ts';
import { askHost } from './host-call.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';
import { PlainError } from './plain-error.ts';
import { readSecret } from './read-secret.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'writes one file from which another PC can go on; its passphrase is typed or read from standard input',
  flags: DATA_FLAGS,
  positionals: ['FILE'],
  run: async (args, { environment, print }) => {
    const options = dataOptions(args, environment);
    const file = resolve(args.positionals[0] ?? '');
    const passphrase = await readSecret('Passphrase');
    await askData(options, { command: 'backup', file, passphrase });
    print(`The backup is in ${file}.`);
    return 0;
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'replaces a data folder by a backup, while no Sluice runs on it',
  flags: DATA_FLAGS,
  positionals: ['FILE'],
  run: async (args, { environment, print }) => {
    const options = dataOptions(args, environment);
    const file = resolve(args.positionals[0] ?? '');
    return 0;
  },
};
