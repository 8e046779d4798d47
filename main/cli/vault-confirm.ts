import { askData } from './ask-data.ts';
import type { Command } from './command.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';

export const vaultConfirm: Command = {
  name: 'vault confirm',
  summary: 'accepts an older vault that was restored, after its keys and users were checked',
  flags: DATA_FLAGS,
  positionals: [],
  run: async (args, { environment, print }) => {
    await askData(dataOptions(args, environment), { command: 'vault-confirm' });
    print('The vault is confirmed.');
    return 0;
  },
};
