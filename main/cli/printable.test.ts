import { expect, test } from 'vitest';
import { runCommandLine } from './main.ts';
import type { Command } from './command.ts';

const FOREIGN = 'Acme\u001b[8m\u202e\r\u009b1A\n  ü 漢 👍🏽 end';
const command: Command = {
  name: 'tell',
  summary: '',
  flags: {},
  positionals: [],
  run: async (_, { print }) => {
    print(FOREIGN);
    return 0;
  },
};

test('a command prints no control sequences for a terminal, and keeps letters and line feeds', async () => {
  const lines: string[] = [];
  await runCommandLine(['tell'], [command], { environment: {}, print: (line) => lines.push(line) });
  expect(lines).toEqual(['Acme\ufffd[8m\ufffd\ufffd\ufffd1A\n  ü 漢 👍🏽 end']);
});
