import { expect, test } from 'vitest';
import { COMMANDS } from '../main/cli/commands.ts';
import { manPage } from './man-page.ts';

test('the manual page lists every command with its flags', () => {
  const page = manPage('1.2.3');
  for (const { name, flags } of COMMANDS) {
    expect(page).toContain(`\\fB${name.replaceAll('-', '\\-')}\\fR`);
    for (const flag of Object.keys(flags)) expect(page).toContain(`\\-\\-${flag.replaceAll('-', '\\-')}`);
  }
  expect(page.startsWith('.TH SLUICE 1 "" "Sluice 1.2.3" "Sluice"\n')).toBe(true);
});

test('text that roff would interpret is escaped', () => {
  const command = { name: 'a', summary: '.x \\n', flags: {}, positionals: [], run: () => Promise.resolve(0) };
  expect(manPage('1.2.3', [command])).toContain('\n\\&.x \\en.\n');
});
