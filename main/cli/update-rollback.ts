import { askHost } from './host-call.ts';
import type { Command } from './command.ts';
import { becomeOwner } from './data-owner.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';
import { PlainError } from './plain-error.ts';

export const updateRollback: Command = {
  name: 'update rollback',
  summary: 'restores keys, users, settings and projects from before the last update, while Sluice is stopped',
  flags: { data: DATA_FLAGS.data },
  positionals: [],
  run: async (args, { environment, print }) => {
    const { dataDir } = dataOptions(args, environment);
    if ((await askHost(dataDir, { command: 'plugin-list' })) !== null)
      throw new PlainError(`Sluice is running on the data folder ${dataDir}; stop it first`);
    becomeOwner(dataDir);
    const { rollBack } = await import('../update/rollback.ts');
    const { kept, replaced } = await rollBack(dataDir);
    const version = kept.from ?? 'the version that was installed before';
    print(`Keys, users, settings and projects are as they were on ${kept.createdAt}, before the update to ${kept.to}.`);
    print(`The replaced data is kept in ${replaced}; delete it when you no longer need it.`);
    print(`Now install ${version} and start it. If ${kept.to} is started instead, it updates the data again.`);
    print(
      'Revocations since then are applied again from the audit journal. Check keys and users, then confirm the vault.',
    );
    return 0;
  },
};
