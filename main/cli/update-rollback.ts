import { askHost } from './host-call.ts';
import type { Command } from './command.ts';
import { becomeOwner } from './data-owner.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';
import { PlainError } from './plain-error.ts';

export const updateRollback: Command = {
  name: 'update rollback',
  summary: 'puts keys, users, settings and projects back as they were before the last update, while no Sluice runs',
  flags: { data: DATA_FLAGS.data },
  positionals: [],
  run: async (args, { environment, print }) => {
    const { dataDir } = dataOptions(args, environment);
    if ((await askHost(dataDir, { command: 'plugin-list' })) !== null)
      throw new PlainError(`a Sluice is running on the data folder ${dataDir}; stop it first`);
    becomeOwner(dataDir);
    const { rollBack } = await import('../update/rollback.ts');
    const { kept, replaced } = await rollBack(dataDir);
    const version = kept.from ?? 'the version that was installed before';
    print(`Keys, users, settings and projects are as they were on ${kept.createdAt}, before the update to ${kept.to}.`);
    print(`What was there is kept in ${replaced}; remove it when it is not needed any more.`);
    print(`Now install ${version} and start it. Started again, ${kept.to} would update the data once more.`);
    print(
      'Revocations since then are done again from the audit journal; confirm the vault after a look at keys and users.',
    );
    return 0;
  },
};
