import { askData } from './ask-data.ts';
import type { Command } from './command.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';

export const auditKey: Command = {
  name: 'audit key',
  summary: 'prints the key with which "sluice audit verify --copy" verifies a copy of the journal on another machine',
  flags: DATA_FLAGS,
  positionals: [],
  run: async (args, { environment, print }) => {
    print(String(await askData(dataOptions(args, environment), { command: 'audit-key' })));
    return 0;
  },
};
