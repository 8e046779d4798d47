import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { VERSION } from '#common/version.ts';
import { runSluice } from './testing/sluice.ts';

// Each row is a real process, which starts slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
let folder: string;
let taken: Server;
let takenPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  writeFileSync(join(folder, 'file'), '');
  taken = createServer();
  takenPort = await new Promise((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
});

afterAll(() => {
  taken.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Row {
  words: string[];
  environment?: Record<string, string>;
  sentence: string;
}

const ROWS: Row[] = [
  { words: ['start'], sentence: '"start" is not a command; expected one of "serve"' },
  {
    words: ['user'],
    sentence: '"user" is not a command; expected one of "user add", "user reset-password", --version or --help',
  },
  { words: ['serve', '--port', '1'], sentence: '--port is not a flag of "sluice serve"; expected --data' },
  {
    words: ['serve', '--gateway-port', '99999'],
    sentence: '--gateway-port is "99999"; expected a port from 0 to 65,535',
  },
  { words: ['serve', '--data', 'FOLDER/file'], sentence: 'which is a file; expected a folder' },
  {
    words: ['serve'],
    environment: { SLUICE_UI_PORT: 'eight' },
    sentence: 'SLUICE_UI_PORT is "eight"; expected a port',
  },
  { words: ['hub', 'token'], sentence: '"sluice hub token" needs EDGE' },
  { words: ['hub', '--address', 'hub-1'], sentence: 'expected a host name or IP address and a port' },
  { words: ['hub', '--nats-port', '0'], sentence: 'expected a port from 1 to 65,535, because edges keep it' },
  { words: ['join'], sentence: '"sluice join" needs TOKEN' },
  {
    words: ['join', 'sle1.x', '--data', 'FOLDER/edge', '--secret-store', 'file'],
    sentence: 'The token cannot be read',
  },
  { words: ['user', 'add'], sentence: '"sluice user add" needs NAME' },
  {
    words: ['user', 'add', 'eve', '--data', 'FOLDER/none'],
    sentence: 'Password is empty; type it, or send it as one line on standard input',
  },
  { words: ['plugin', 'add'], sentence: '"sluice plugin add" needs PATH' },
  { words: ['plugin', 'add', 'FOLDER/x.tgz', '--data', 'FOLDER/none'], sentence: 'expected a folder or a .tgz file' },
  { words: ['plugin', 'add', 'FOLDER/file', '--data', 'FOLDER/none'], sentence: 'there is no Sluice data in' },
  { words: ['plugin', 'approve', 'acme'], sentence: '"sluice plugin approve" needs DIGEST' },
  {
    words: ['plugin', 'approve', 'acme', '00', '--trust', 'other'],
    sentence: '--trust is "other"; expected the id of the plugin that is approved, "acme"',
  },
  { words: ['plugin', 'remove'], sentence: '"sluice plugin remove" needs ID' },
  { words: ['plugin', 'update', 'acme'], sentence: '"plugin update" is not a command; expected one of "plugin list"' },
  { words: ['update', 'verify'], sentence: '"sluice update verify" needs FILE' },
  { words: ['update', 'rollback', '--data', 'FOLDER/none'], sentence: 'There is no copy from before an update in' },
  {
    words: ['update', 'verify', 'sluice_9.9.9_amd64.deb', '--public-key', 'FOLDER/none.pub'],
    sentence: 'none.pub cannot be read: it does not exist',
  },
  { words: ['plugin', 'list', '--data', 'FOLDER/none'], sentence: 'there is no Sluice data in' },
  { words: ['audit', 'verify', '--data', 'FOLDER/none'], sentence: 'there is no Sluice data in' },
  ...(process.platform === 'linux'
    ? ['/proc/x', '/proc/self/x', '/sys/x/y', '/dev/x', '/dev/fd'].map((place) => ({
        words: ['serve', '--data', place],
        sentence: `--data is "${place}", which is not on a disk; expected a folder on a disk of this machine`,
      }))
    : []),
  { words: ['serve', '--data', '/dev/null'], sentence: 'which is a file; expected a folder' },
  { words: ['setup', '--from', '/dev/zero', '--data', 'FOLDER/none'], sentence: 'it is too large; expected at most' },
  { words: ['restore', 'FOLDER/none.backup', '--data', 'FOLDER/none'], sentence: 'none.backup' },
];

test.each(ROWS)(
  'sluice $words prints one plain sentence and exits with 1',
  async ({ words, environment, sentence }) => {
    const args = words.map((word) => word.replace('FOLDER', folder));
    const { code, stdout, stderr } = await runSluice(args, environment ? { environment } : {});
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr.startsWith('sluice: ')).toBe(true);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  },
);

test.each([
  ['--gateway-port', '--ui-port'],
  ['--ui-port', '--gateway-port'],
])('a %s in use is reported in one sentence that names port and flag', async (flag, other) => {
  const args = [
    'serve',
    '--data',
    join(folder, flag),
    '--secret-store',
    'file',
    '--gateway-host',
    '127.0.0.1',
    flag,
    String(takenPort),
    other,
    '0',
  ];
  const { code, stdout, stderr } = await runSluice(args);
  const sentence = `port ${takenPort} is in use by another program; choose another with ${flag}`;
  expect(stderr).toBe(`sluice: ${flag.slice(2)}: ${sentence}\n`);
  expect(existsSync(join(folder, flag))).toBe(false);
  expect(stdout).toBe('');
  expect(code).toBe(1);
});

test('--version and --help print to standard output', async () => {
  expect(await runSluice(['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  const help = await runSluice(['--help']);
  expect(help.code).toBe(0);
  for (const name of [
    'serve',
    'audit verify',
    'backup',
    'restore',
    'user add',
    'user reset-password',
    'plugin list',
    'plugin add PATH',
    'plugin approve ID DIGEST',
    'plugin remove ID',
    'plugin dev FOLDER',
    'hub',
    'hub token EDGE',
    'hub assign PROJECT EDGE',
    'hub expel EDGE',
    'hub init',
    'join TOKEN',
    'leave',
    'fleet status',
    'update verify FILE',
    'update rollback',
    'setup',
    '--version',
  ]) {
    expect(help.stdout).toContain(`sluice ${name}`);
  }
  expect((await runSluice(['serve', '--help'])).stdout).toContain('--gateway-port N');
});

test.each([
  ['audit', ['audit verify']],
  ['user', ['user add NAME', 'user reset-password NAME']],
  ['plugin', ['plugin list', 'plugin approve ID DIGEST']],
  ['vault', ['vault confirm']],
  ['hub', ['hub token EDGE', 'hub expel EDGE']],
  ['fleet', ['fleet status']],
  ['update', ['update verify FILE', 'update rollback']],
])('sluice %s --help lists its commands', async (word, names) => {
  const { code, stdout, stderr } = await runSluice([word, '--help']);
  expect([code, stderr]).toEqual([0, '']);
  for (const name of names) expect(stdout).toContain(`  sluice ${name}`);
  expect(stdout).not.toContain('sluice serve');
});
