import { clip } from '#common/clip.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { createLogger } from '#common/node/log.ts';
import { writeToStderr } from '#common/node/stderr.ts';
import { VERSION } from '#common/version.ts';
import { readArguments } from './arguments.ts';
import type { Command, Context } from './command.ts';
import { commandHelp, groupHelp, overview } from './help.ts';
import { VaultError } from '../vault/errors.ts';
import { guidesFolder } from './packaged.ts';
import { PlainError, UNKNOWN_OUTCOME, UnknownOutcome, UsageError } from './plain-error.ts';
import { printable } from './printable.ts';

/** Runs one command line; resolves to the exit code. Any mistake in it results in one plain sentence and 1. */
export async function runCommandLine(
  words: readonly string[],
  commands: readonly Command[],
  context: Context,
): Promise<number> {
  try {
    return await run(words, commands, { ...context, print: (line) => context.print(printable(line)) });
  } catch (error) {
    if (isPlain(error)) writeToStderr('error', `sluice: ${printable(error.message)}\n`);
    else createLogger('sluice').error('Sluice ended because of an unexpected error', { error });
    if (error instanceof UnknownOutcome) return UNKNOWN_OUTCOME;
    return isWrongUnit(error, context) ? WRONG_UNIT : 1;
  }
}

/** EX_USAGE of sysexits.h; the unit names it in `RestartPreventExitStatus`. */
const WRONG_UNIT = 64;

/** systemd started it with arguments or variables that no retry can correct. */
function isWrongUnit(error: unknown, { environment }: Context): boolean {
  return error instanceof UsageError && environment['NOTIFY_SOCKET'] !== undefined;
}

/** Errors whose messages are written for the user of the command. */
function isPlain(error: unknown): error is Error {
  return error instanceof PlainError || error instanceof SluiceError || error instanceof VaultError;
}

async function run(words: readonly string[], commands: readonly Command[], context: Context): Promise<number> {
  const [first = '--help'] = words;
  if (first === '--version') return print(context, VERSION);
  if (first === '--help' || first === '-h' || first === 'help')
    return print(context, overview(commands, guidesFolder(process.execPath)));
  if (words.length === 2 && isHelp(words[1])) {
    const group = commands.filter(({ name }) => name.startsWith(`${first} `));
    const own = commands.find(({ name }) => name === first);
    if (group.length > 0)
      return print(context, [...(own ? [commandHelp(own), ''] : []), groupHelp(first, group)].join('\n'));
  }
  const command = findCommand(words, commands);
  const rest = words.slice(command.name.split(' ').length);
  if (rest.some(isHelp)) return print(context, commandHelp(command));
  return command.run(readArguments(command.name, rest, command.flags, command.positionals), context);
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h';
}

function findCommand(words: readonly string[], commands: readonly Command[]): Command {
  const found = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (found) return found;
  const group = commands.filter(({ name }) => name.split(' ')[0] === words[0]);
  const names = (group.length > 0 ? group : commands).map(({ name }) => `"${name}"`).join(', ');
  const given = group.length > 0 ? words.slice(0, 2).join(' ') : (words[0] ?? '');
  throw new UsageError(`"${clip(given)}" is not a command; expected one of ${names}, --version or --help`);
}

function print(context: Context, text: string): number {
  context.print(text);
  return 0;
}
