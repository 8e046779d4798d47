import { z } from 'zod';
import { askHost } from './host-call.ts';
import type { Command, Context } from './command.ts';
import { DATA_FLAGS, dataOptions } from './options.ts';
import { PlainError } from './plain-error.ts';

const kindsSchema = z.array(z.object({ id: z.string(), version: z.string(), title: z.string() })).nullable();

export const pluginList: Command = {
  name: 'plugin list',
  summary: 'lists the node kinds of a running Sluice',
  flags: DATA_FLAGS,
  positionals: [],
  run: async (args, { environment, print }: Context) => {
    const answer = await askHost(dataOptions(args, environment).dataDir, { command: 'plugin-list' });
    if (!answer)
      throw new PlainError(
        '"sluice plugin list" asks a running Sluice, and none runs on this data folder; start one with "sluice serve"',
      );
    const kinds = kindsSchema.parse(answer.value) ?? [];
    for (const { id, version, title } of kinds) print(`${id} ${version}  ${title}  (built in)`);
    return 0;
  },
};

export const pluginAdd = later('plugin add', 'FILE');
export const pluginRemove = later('plugin remove', 'ID');

function later(name: string, positional: string): Command {
  return {
    name,
    summary: 'comes with a later release',
    flags: DATA_FLAGS,
    positionals: [positional],
    run: () =>
      Promise.reject(
        new PlainError(`"sluice ${name}" comes with a later release; this one runs its built-in node kinds only`),
      ),
  };
}
