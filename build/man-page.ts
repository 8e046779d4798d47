import type { Command } from '../main/cli/command.ts';
import { COMMANDS } from '../main/cli/commands.ts';

/** The manual page `sluice.1`, from the declarations of the command line. */
export function manPage(version: string, commands: readonly Command[] = COMMANDS): string {
  return [
    `.TH SLUICE 1 "" "Sluice ${roff(version)}" "Sluice"`,
    '.SH NAME',
    'sluice \\- REST gateway for factory lines',
    '.SH SYNOPSIS',
    '.B sluice',
    '.I COMMAND',
    '[\\fIarguments\\fR] [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    'Sluice publishes HTTP routes that API keys open. The systemd unit',
    '.B sluice.service',
    'runs',
    '.BR "sluice serve" .',
    'As root, commands mean the data folder of the installed service.',
    '.SH COMMANDS',
    ...commands.flatMap(commandPart),
    '.SH ENVIRONMENT',
    'SLUICE_DATA, SLUICE_GATEWAY_HOST, SLUICE_GATEWAY_PORT, SLUICE_UI_PORT and SLUICE_SECRET_STORE stand for the flags of',
    'the same names. A flag wins over its variable.',
    '.SH FILES',
    '.TP',
    '.I /var/lib/sluice',
    'Data of the installed service.',
    '.TP',
    '.I /usr/lib/sluice/share/doc/sluice/guides',
    'Guides: installation, operation, backup, packages and more.',
    '.SH EXIT STATUS',
    '0 when the command succeeded, 1 with one sentence on standard error when it did not. 2 when',
    '.B sluice plan \\-\\-check',
    'found changes.',
    '',
  ].join('\n');
}

function commandPart({ name, positionals, summary, flags }: Command): string[] {
  const usage = [`\\fB${roff(name)}\\fR`, ...positionals.map((one) => `\\fI${roff(one)}\\fR`)].join(' ');
  return ['.TP', usage, sentence(summary), ...Object.entries(flags).flatMap(flagPart)];
}

function flagPart([name, { value, help }]: [string, Command['flags'][string]]): string[] {
  const form = `\\fB${roff(`--${name}`)}\\fR${value === undefined ? '' : ` \\fI${roff(value)}\\fR`}`;
  return ['.RS', '.TP', form, sentence(help), '.RE'];
}

const sentence = (text: string): string => roff(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);

/** Escapes roff: backslashes, hyphens (which would become dashes), and a request at the start of a line. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
