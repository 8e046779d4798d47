import { parseArgs } from 'node:util';
import { clip } from '#common/clip.ts';
import { UsageError } from './plain-error.ts';

/** One flag of a command: `value`: the name of its value in the help; absent: a switch. */
export interface Flag {
  value?: string;
  help: string;
  /** It can be given several times. */
  many?: boolean;
}

export interface Arguments {
  flags: ReadonlyMap<string, string>;
  lists: ReadonlyMap<string, string[]>;
  positionals: string[];
}

/**
 * Parses the arguments of a command strictly: an unknown flag, a repeated flag, a missing or unexpected value, and a
 * missing or extra positional each result in one sentence. `names` are the positionals, all required.
 */
export function readArguments(
  command: string,
  args: readonly string[],
  flags: Readonly<Record<string, Flag>>,
  names: readonly string[],
): Arguments {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      { type: flag.value === undefined ? 'boolean' : 'string' } as const,
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const found = { flags: new Map<string, string>(), lists: new Map<string, string[]>(), positionals: [] as string[] };
  for (const token of tokens) {
    if (token.kind === 'positional') found.positionals.push(token.value);
    if (token.kind === 'option') takeFlag(command, flags, found, token.name, token.rawName, token.value);
  }
  checkPositionals(command, found.positionals, names);
  return found;
}

function takeFlag(
  command: string,
  flags: Readonly<Record<string, Flag>>,
  found: { flags: Map<string, string>; lists: Map<string, string[]> },
  name: string,
  rawName: string,
  value: string | undefined,
): void {
  const flag = Object.hasOwn(flags, name) && rawName.startsWith('--') ? flags[name] : undefined;
  if (!flag) throw new UsageError(`${rawName} is not a flag of "sluice ${command}"; expected ${known(flags)}`);
  if (flag.value === undefined && value !== undefined)
    throw new UsageError(`--${name} takes no value; it was given "${clip(value)}"`);
  if (flag.value !== undefined && (value === undefined || value === '' || value.startsWith('--'))) {
    throw new UsageError(`--${name} needs a value: --${name} ${flag.value}`);
  }
  if (flag.many) {
    found.lists.set(name, [...(found.lists.get(name) ?? []), value ?? '']);
    return;
  }
  if (found.flags.has(name)) throw new UsageError(`--${name} was given twice; expected it once`);
  found.flags.set(name, value ?? '');
}

function checkPositionals(command: string, given: readonly string[], names: readonly string[]): void {
  if (given.length < names.length)
    throw new UsageError(`"sluice ${command}" needs ${names[given.length]}: sluice ${command} ${names.join(' ')}`);
  const extra = given[names.length];
  if (extra !== undefined)
    throw new UsageError(`"${clip(extra)}" is not expected after "sluice ${[command, ...names].join(' ')}"`);
}

function known(flags: Readonly<Record<string, Flag>>): string {
  return Object.keys(flags)
    .map((name) => `--${name}`)
    .join(', ');
}
