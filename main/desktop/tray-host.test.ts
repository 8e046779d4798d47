import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hasTray } from './tray-host.ts';

const run = promisify(execFile);
const never = () => Promise.reject(new Error('asked'));

test('Windows and macOS show icons without a query', async () => {
  expect(await hasTray('win32', never)).toBe(true);
  expect(await hasTray('darwin', never)).toBe(true);
});

test.each([
  ['   boolean true\n', true],
  ['   boolean false\n', false],
  ['', false],
  ['Error: boolean true is not known', false],
])('a bus that returns %j: %s', async (answer, shows) => {
  expect(await hasTray('linux', async () => answer)).toBe(shows);
});

test('a desktop without a bus, or without the query program, has no known icon area', async () => {
  expect(await hasTray('linux', never)).toBe(false);
});

test('a real session bus understands the query', async () => {
  const ask = `"${process.execPath}" --input-type=module -e "import { askSessionBus } from '${new URL('./tray-host.ts', import.meta.url).href}'; process.stdout.write(await askSessionBus())"`;
  const { stdout } = await run('dbus-run-session', ['--', 'sh', '-c', ask], { timeout: 30_000 });
  expect(stdout.trim()).toBe('boolean false');
});
