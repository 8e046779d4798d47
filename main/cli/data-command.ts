import type { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { DATA_FLAGS, dataOptions, type DataOptions } from './options.ts';

interface DataCommand extends Pick<Command, 'name' | 'summary'> {
  /** In addition to the flags that select the data folder. */
  flags?: Command['flags'];
  positionals?: Command['positionals'];
  run(call: { args: Arguments; options: DataOptions; print: (line: string) => void }): Promise<void>;
}

/** A command that works on a data folder; it fails only by throwing. */
export function dataCommand({ name, summary, flags = {}, positionals = [], run }: DataCommand): Command {
  return {
    name,
    summary,
    flags: { ...DATA_FLAGS, ...flags },
    positionals,
    run: async (args, { environment, print }) => {
      await run({ args, options: dataOptions(args, environment), print });
      return 0;
    },
  };
}
