import type { Command } from './command.ts';
import { SERVE_FLAGS, serveOptions } from './options.ts';
import { PlainError, UsageError } from './plain-error.ts';

/** The exit code of a second run, which changes nothing. */
const ALREADY_SET_UP = 3;

const { demo: _demo, ...ADDRESS_FLAGS } = SERVE_FLAGS;

const RESULTS = {
  set_up: 'Sluice is set up.',
  already_set_up: 'Sluice is already set up; nothing was changed.',
  checked: 'The set-up file can be used; nothing was changed.',
} as const;

export const setup: Command = {
  name: 'setup',
  summary: 'sets up a new Sluice from a file; exit code 3: it was already set up and nothing was changed',
  flags: {
    from: { value: 'FILE', help: 'the set-up file (JSON); - reads it from standard input' },
    check: { help: 'checks the file and everything that it names, and changes nothing' },
    json: { help: 'prints one line of JSON instead of sentences' },
    ...ADDRESS_FLAGS,
  },
  positionals: [],
  run: async (args, { environment, print }) => {
    const from = args.flags.get('from');
    if (from === undefined) throw new UsageError('"sluice setup" needs a set-up file: sluice setup --from FILE');
    const options = serveOptions(args, environment);
    const json = args.flags.has('json');
    const isCheck = args.flags.has('check');
    const [{ runSetup }, { SetupError }] = await Promise.all([
      import('../setup/run-setup.ts'),
      import('../setup/setup-error.ts'),
    ]);
    try {
      const report = await runSetup({ from, isCheck, options, environment, tell: json ? () => {} : print });
      print(json ? JSON.stringify(report) : RESULTS[report.result]);
      return report.result === 'already_set_up' ? ALREADY_SET_UP : 0;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      throw new PlainError(`the set-up file ${from === '-' ? 'on standard input' : from}: ${error.message}`, {
        cause: error,
      });
    }
  },
};
