import type { Command } from './command.ts';

/** The commands that begin with one word, such as `user`. */
export function groupHelp(word: string, commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => usage(command).length));
  return [...lines(commands, width), '', `sluice ${word} … --help shows the flags of a subcommand.`].join('\n');
}

function lines(commands: readonly Command[], width: number): string[] {
  return commands.map((command) => `  sluice ${usage(command).padEnd(width)}  ${command.summary}`);
}

/** `guides`: the folder of the guides; null: they are in the sources. */
export function overview(commands: readonly Command[], guides: string | null): string {
  const width = Math.max(...commands.map((command) => usage(command).length));
  return [
    'Sluice: pipelines publish HTTP routes that machines call with API keys.',
    '',
    ...lines(commands, width),
    `  sluice ${'--version'.padEnd(width)}  prints the version`,
    '',
    'sluice COMMAND --help shows a command’s flags. Each of --data, --gateway-host, --gateway-port, --ui-port and',
    '--secret-store has an environment variable: SLUICE_DATA, SLUICE_GATEWAY_HOST, SLUICE_GATEWAY_PORT, SLUICE_UI_PORT,',
    'SLUICE_SECRET_STORE. A flag takes precedence over its variable, and both over the settings.',
    '',
    `Guides (install, operate, backup, packages and more), as plain text: ${guides ?? 'docs, in the sources'}`,
  ].join('\n');
}

export function commandHelp(command: Command): string {
  const flags = Object.entries(command.flags).map(([name, flag]) => ({
    form: flag.value === undefined ? `--${name}` : `--${name} ${flag.value}`,
    help: flag.help,
  }));
  const width = Math.max(0, ...flags.map(({ form }) => form.length));
  return [
    `sluice ${usage(command)}${flags.length > 0 ? ' [flags]' : ''}: ${command.summary}`,
    ...flags.map(({ form, help }) => `  ${form.padEnd(width)}  ${help}`),
  ].join('\n');
}

function usage({ name, positionals }: Command): string {
  return [name, ...positionals].join(' ');
}
