import { askData } from './ask-data.ts';
import { dataCommand } from './data-command.ts';

export const vaultConfirm = dataCommand({
  name: 'vault confirm',
  summary: 'accepts an older vault that was restored, after its keys and users were checked',
  run: async ({ options, print }) => {
    await askData(options, { command: 'vault-confirm' });
    print('The vault is confirmed.');
  },
});
