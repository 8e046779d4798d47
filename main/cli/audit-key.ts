import { askData } from './ask-data.ts';
import { dataCommand } from './data-command.ts';

export const auditKey = dataCommand({
  name: 'audit key',
  summary: 'prints the key with which "sluice audit verify --copy" verifies a copy of the journal on another machine',
  run: async ({ options, print }) => {
    print(String(await askData(options, { command: 'audit-key' })));
  },
});
