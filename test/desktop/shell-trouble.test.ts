import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAdminClient } from '#test/admin-client.ts';
import { ADMIN } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { START_MS_MAX, type StandInShell, startShell } from './stand-in/shell.ts';

/** Events of the desktop app without a user's request, with a stub of Electron. */
vi.setConfig({ testTimeout: 2 * START_MS_MAX, hookTimeout: 2 * START_MS_MAX });
const folder = dirPerTest(() => tempDir('sluice-shell-'));
let shell: StandInShell;

beforeEach(async () => {
  shell = await startShell(folder.path);
});
afterEach(async () => {
  if (shell.child.exitCode === null && shell.child.signalCode === null) {
    shell.child.kill('SIGKILL');
    await once(shell.child, 'exit');
  }
});

const logFile = (): Promise<string> => readFile(join(folder.path, 'data/desktop/logs/sluice.log'), 'utf8');

test('SIGTERM ends it in order without a question', async () => {
  const ended = once(shell.child, 'exit');
  shell.child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(shell.named('ask')).toEqual([]);
});

test('a shutdown of the PC waits for its end without a question', async () => {
  const ended = once(shell.child, 'exit');
  shell.act({ act: 'shutdown' });
  expect(await ended).toEqual([0, null]);
  expect(shell.named('shutdown waits')).toHaveLength(1);
  expect(shell.named('ask')).toEqual([]);
});

test('an unexpected failure is logged; right after the start it is reported without a restart', async () => {
  shell.act({ act: 'reject' });
  await until('the error is logged', async () => (await logFile()).includes('a promise that nobody holds'));
  expect(shell.child.exitCode).toBe(null);
  const ended = once(shell.child, 'exit');
  shell.act({ act: 'throw' });
  expect(await ended).toEqual([1, null]);
  expect(shell.named('error')).toEqual([['error', 'Sluice has stopped', 'something unforeseen']]);
  expect(shell.named('relaunch')).toEqual([]);
  expect(await logFile()).toMatch(/"message":"the program has failed".*something unforeseen/);
});

test('the full screen can be entered and left even if its state cannot be saved', async () => {
  const admin = createAdminClient(shell.ui);
  const token = (await readFile(join(folder.path, 'data/setup-token'), 'utf8')).trim();
  await admin.ok('POST', '/setup', { token, ...ADMIN });
  await admin.logIn(ADMIN.name, ADMIN.password);
  // Blocks the file that is written first.
  await mkdir(join(folder.path, 'data/desktop/state.json.new'));
  shell.act({ act: 'answer', button: 1, saveTo: '' });
  shell.act({ act: 'menu', label: 'Full screen' });
  await until('it fills the screen', () => shell.named('kiosk').length === 1);
  expect((await admin.request('POST', '/desktop/kiosk', { on: false })).status).toBe(500);
  expect(shell.named('kiosk')).toEqual([
    ['kiosk', true],
    ['kiosk', false],
  ]);
});
