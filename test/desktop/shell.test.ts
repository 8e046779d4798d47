import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { list } from 'tar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminClient, createAdminClient } from '#test/admin-client.ts';
import { ADMIN } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerFile } from '#test/test-dir.ts';
import type { Act } from './stand-in/electron.ts';
import { START_MS_MAX, type StandInShell, startShell } from './stand-in/shell.ts';

/**
 * The whole desktop app (shell, host, gateway) in plain Node, with a stub of Electron: the shell's reactions to a user.
 * The tests are one sequence; each begins where the previous one ended.
 */
const folder = dirPerFile(() => tempDir('sluice-shell-'));
let shell: StandInShell;
let admin: AdminClient;
const WAIT = { timeout: START_MS_MAX, interval: 50 };

beforeAll(async () => {
  shell = await startShell(folder.path);
  admin = createAdminClient(shell.ui);
});

afterAll(() => {
  if (shell.child.exitCode === null) shell.child.kill('SIGKILL');
});

const named = (call: string) => shell.named(call);
const act = (what: Act) => shell.act(what);
const answer = (button: number, saveTo = '') => act({ act: 'answer', button, saveTo });
const status = () =>
  admin.ok<{ gateway: { pid: number; state: string }; desktop: { kiosk: boolean } }>('GET', '/status');

test('Electron is configured to sandbox everything before it is ready, and the window has no preload', () => {
  expect(shell.calls[0]).toEqual(['enableSandbox']);
  expect(named('window')).toMatchObject([
    ['window', false, { sandbox: true, contextIsolation: true, nodeIntegration: false }],
  ]);
  expect(named('window')[0]?.[2]).not.toHaveProperty('preload');
});

test('access to the PC does not log anybody in', async () => {
  expect(await admin.request('GET', '/status')).toMatchObject({ status: 401 });
  const token = (await readFile(join(folder.path, 'data', 'setup-token'), 'utf8')).trim();
  await admin.ok('POST', '/setup', { token, ...ADMIN });
  await admin.logIn(ADMIN.name, ADMIN.password);
  expect((await status()).desktop).toEqual({ kiosk: false });
});

test('the PC stays awake while a route runs', async () => {
  expect(named('awake')).toEqual([]);
  await admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
  const nodes = [
    { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', method: 'GET', urlPattern: '/x', authType: 'none' } },
    { id: 'out', kind: 'http-response', settings: {} },
  ];
  const wires = [{ from: 'in', port: 'out', to: 'out' }];
  await admin.run('line', { id: 'x', name: 'X', nodes, wires });
  await expect.poll(() => named('awake'), WAIT).toEqual([['awake', 'prevent-app-suspension']]);
  await expect.poll(() => String(named('tooltip').at(-1)?.[1]), WAIT).toContain('Running, 1 route answers');
});

test('closing the window logs out, keeps serving and notifies the user once', async () => {
  act({ act: 'close' });
  await expect.poll(() => named('log-in forgotten'), WAIT).toHaveLength(1);
  expect(named('notify')).toMatchObject([['notify', { title: 'Sluice keeps serving' }]]);
  expect((await status()).gateway.state).toBe('running');
  act({ act: 'second-start', files: [] });
  await expect.poll(() => named('window'), WAIT).toHaveLength(2);
  act({ act: 'close' });
  act({ act: 'second-start', files: [] });
  await expect.poll(() => named('window'), WAIT).toHaveLength(3);
  expect(named('notify')).toHaveLength(1);
});

test('a crash of the gateway and its restart are shown in the tray and notified', async () => {
  process.kill((await status()).gateway.pid, 'SIGKILL');
  const tooltips = () => named('tooltip').map(([, text]) => String(text));
  await expect.poll(tooltips, WAIT).toContainEqual(expect.stringContaining('has stopped and is being restarted'));
  await expect.poll(() => tooltips().at(-1), WAIT).toContain('Running');
  expect(named('notify').at(-1)).toMatchObject(['notify', { title: 'Sluice: alarm' }]);
});

test('opening a project file shows the page that imports it', async () => {
  answer(1);
  act({ act: 'second-start', files: ['/media/usb/line.sluice.json'] });
  await expect.poll(() => named('load').at(-1)?.[1], WAIT).toMatch(/\/projects$/);
  expect(named('ask').at(-1)).toMatchObject([
    'ask',
    { detail: expect.stringContaining('/media/usb/line.sluice.json') },
  ]);
});

test('the diagnostics are saved where the user chooses', async () => {
  const target = join(folder.path, 'd.tar.gz');
  answer(1, target);
  act({ act: 'menu', label: 'Save diagnostics' });
  await expect.poll(() => named('ask').at(-1), WAIT).toMatchObject(['ask', { message: 'Diagnostics saved' }]);
  const names: string[] = [];
  await list({ file: target, onReadEntry: ({ path }) => names.push(path) });
  expect(names.toSorted()).toEqual(['about.json', 'files.txt', 'settings.json', 'sluice.log', 'state.json']);
});

test('only an Administrator can leave the full screen', async () => {
  answer(1);
  act({ act: 'menu', label: 'Full screen' });
  await expect.poll(() => named('kiosk'), WAIT).toEqual([['kiosk', true]]);
  const before = shell.calls.length;
  for (const what of ['close', 'quit'] as const) act({ act: what });
  for (const label of ['Quit', 'Open log folder', 'Full screen']) act({ act: 'menu', label });
  act({ act: 'key', code: 'KeyK' });
  await expect.poll(() => named('load').at(-1)?.[1], WAIT).toMatch(/\/help$/);
  expect(shell.calls.slice(before).map(([call]) => call)).toEqual(['show', 'load']);
  expect((await status()).desktop).toEqual({ kiosk: true });
  await admin.ok('POST', '/desktop/kiosk', { on: false });
  await expect.poll(() => named('kiosk').at(-1), WAIT).toEqual(['kiosk', false]);
  const kept = JSON.parse(await readFile(join(folder.path, 'data', 'desktop', 'state.json'), 'utf8')) as object;
  expect(kept).toMatchObject({ kiosk: false, toldStillServing: true });
});

test('Quit asks for confirmation, and then ends everything in order and closes the window', async () => {
  answer(0);
  act({ act: 'quit' });
  await expect.poll(() => named('ask').at(-1), WAIT).toMatchObject(['ask', { buttons: ['Keep serving', 'Quit'] }]);
  expect((await status()).gateway.state).toBe('running');
  const ended = once(shell.child, 'exit');
  answer(1);
  act({ act: 'menu', label: 'Quit' });
  expect(await ended).toEqual([0, null]);
  expect(named('may sleep')).toHaveLength(1);
  expect(shell.errors()).not.toContain('"level":"error"');
  await expect(status()).rejects.toThrow('fetch failed');
});
