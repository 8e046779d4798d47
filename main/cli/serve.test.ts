import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logIn, setUp, type AdminClient } from '../demo/admin-client.ts';
import { runSluice, startSluice, type Running } from './testing/sluice.ts';

const FREE = ['--secret-store', 'file', '--gateway-host', '127.0.0.1', '--gateway-port', '0', '--ui-port', '0'];
const PASSWORD = 'correct horse';
// Each test starts real processes, some of them several, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
let folder: string;
let running: Running[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  running = [];
});

afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

function serve(options: Parameters<typeof startSluice>[1] = {}): Running {
  const started = startSluice(['serve', '--data', folder, ...FREE], options);
  running.push(started);
  return started;
}

async function administrator(host: Running): Promise<AdminClient> {
  const { ui, setupTokenFile = '' } = await host.ready;
  return setUp(ui, { token: readFileSync(setupTokenFile, 'utf8').trim(), name: 'eve', password: PASSWORD });
}

async function gatewayPid(admin: AdminClient): Promise<number> {
  const status = (await admin.send('GET', '/status')) as { gateway: { pid: number; state: string } };
  expect(status.gateway.state).toBe('running');
  return status.gateway.pid;
}

const answers = (url: string) => fetch(url).then(({ status }) => status);

test('serve prints one JSON line when both ports respond, logs JSON lines, and ends cleanly on SIGTERM', async () => {
  const host = serve();
  const { gateway, ui, setupTokenFile = '' } = await host.ready;
  expect(await answers(`${gateway}/nothing`)).toBe(404);
  expect(await answers(`${ui}/api/v1/openapi.json`)).toBe(200);
  expect(statSync(setupTokenFile).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'control.sock')).mode & 0o777).toBe(0o600);
  host.child.kill('SIGTERM');
  const { code, stdout, stderr } = await host.ended;
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  for (const line of stderr.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
  await expect(fetch(gateway)).rejects.toThrow('fetch failed');
});

test('once set up, the ready line names no token file, and saved data is there again', async () => {
  const first = serve();
  await (await administrator(first)).send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  first.child.kill('SIGINT');
  expect((await first.ended).code).toBe(0);
  const ready = await serve().ready;
  expect(ready).not.toHaveProperty('setupTokenFile');
  const admin = await logIn(ready.ui, { name: 'eve', password: PASSWORD });
  expect(await admin.send('GET', '/projects')).toMatchObject({ items: [{ id: 'line-7' }] });
});

test('in an npm script the service ends with the shell that npm kills, and leaves nothing behind', async () => {
  const host = serve({ shell: true, environment: { npm_lifecycle_event: 'start' } });
  const { gateway } = await host.ready;
  host.child.kill('SIGTERM');
  await host.ended;
  expect(host.log()).not.toMatch(/"level":"(?:error|warn)"/);
  await expect(fetch(gateway)).rejects.toThrow('fetch failed');
});

test('a signal that is sent twice and to the whole group causes one stop, and the gateway is not restarted', async () => {
  const host = serve({ group: true });
  await host.ready;
  process.kill(-(host.child.pid ?? 0), 'SIGINT');
  process.kill(-(host.child.pid ?? 0), 'SIGTERM');
  const { code, stderr } = await host.ended;
  expect(code).toBe(0);
  const ends = stderr.split('\n').filter((line) => line.includes('"gateway ended"'));
  expect(ends).toHaveLength(1);
  expect(JSON.parse(ends[0] ?? '')).toMatchObject({ code: 0, signal: null, lastState: 'draining' });
});

test('a restarted gateway keeps the port of the ready line, also one that the system chose', async () => {
  const host = serve();
  const admin = await administrator(host);
  const { gateway } = await host.ready;
  const killed = await gatewayPid(admin);
  process.kill(killed, 'SIGKILL');
  const status = () => admin.send('GET', '/status') as Promise<{ gateway: { pid: number | null; state: string } }>;
  await vi.waitFor(
    async () => {
      const { gateway: now } = await status();
      expect([now.state, now.pid === killed]).toEqual(['running', false]);
    },
    { timeout: 30_000 },
  );
  expect(await answers(`${gateway}/nothing`)).toBe(404);
});

test('an alarm begins with its cause, not when a user looks', async () => {
  const host = serve();
  await host.ready;
  const readyAt = new Date().toISOString();
  const { alarms } = (await (await administrator(host)).send('GET', '/status')) as {
    alarms: { code: string; since: string }[];
  };
  expect(alarms.map(({ code }) => code)).toContain('keys_readable');
  for (const { since } of alarms) expect(since <= readyAt).toBe(true);
});

test('a request in flight is answered before serve ends', async () => {
  const host = serve();
  const admin = await administrator(host);
  const { gateway } = await host.ready;
  await startPipeline(admin, 1);
  const answer = fetch(`${gateway}/slow`);
  await vi.waitFor(() => expect(host.log()).toContain('taken up'), { timeout: 30_000, interval: 20 });
  host.child.kill('SIGTERM');
  expect((await answer).status).toBe(200);
  expect((await host.ended).code).toBe(0);
});

test('a killed gateway serves again, with the same routes', async () => {
  const host = serve();
  const admin = await administrator(host);
  const { gateway } = await host.ready;
  await startPipeline(admin, 0);
  const first = await gatewayPid(admin);
  expect(await answers(`${gateway}/slow`)).toBe(200);
  process.kill(first, 'SIGKILL');
  // Port 0 was requested, so the next gateway has another port.
  const next = await vi.waitFor(
    async () => {
      const { gateway: now } = (await admin.send('GET', '/status')) as { gateway: { pid: number; port: number } };
      expect(await answers(`http://127.0.0.1:${now.port}/slow`)).toBe(200);
      return now;
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(next.pid).not.toBe(first);
});

test('a gateway whose host is killed stops listening', async () => {
  const host = serve();
  const { gateway } = await host.ready;
  host.child.kill('SIGKILL');
  await vi.waitFor(() => expect(fetch(gateway)).rejects.toThrow('fetch failed'), { timeout: 10_000, interval: 20 });
});

test('a second Sluice on the same data folder is refused in one sentence', async () => {
  await serve().ready;
  const { code, stdout, stderr } = await runSluice(['serve', '--data', folder, ...FREE]);
  expect(stderr).toBe(`sluice: Another Sluice is running on the data folder ${folder}; stop it first.\n`);
  expect([code, stdout]).toEqual([1, '']);
});

test('an unreadable vault is an error that names a way to recover, never an empty vault', async () => {
  const first = serve();
  await administrator(first);
  first.child.kill('SIGTERM');
  await first.ended;
  truncateSync(join(folder, 'vault.db'), 300);
  const { code, stdout, stderr } = await runSluice(['serve', '--data', folder, ...FREE]);
  expect(stderr).toContain('vault.db cannot be opened');
  expect(stderr).toContain('sluice restore');
  expect([code, stdout]).toEqual([1, '']);
  expect(statSync(join(folder, 'vault.db')).size).toBe(300);
});

test('flags take precedence over the settings and are listed as overridden', async () => {
  const host = serve();
  const admin = await administrator(host);
  expect(await admin.send('GET', '/settings')).toMatchObject({
    gatewayHost: '127.0.0.1',
    gatewayPort: 0,
    overridden: expect.arrayContaining(['gatewayHost', 'gatewayPort', 'uiPort']),
  });
});

test('commands reach a running host and work without one', async () => {
  const host = serve();
  await administrator(host);
  const data = ['--data', folder];
  expect(
    await runSluice(['user', 'add', 'pat', '--role', 'Operator', ...data], { input: `${PASSWORD}\n` }),
  ).toMatchObject({ code: 0, stdout: 'The user pat was added.\n' });
  const { ui } = await host.ready;
  await logIn(ui, { name: 'pat', password: PASSWORD });
  expect(await runSluice(['user', 'add', 'pat', ...data], { input: `${PASSWORD}\n` })).toMatchObject({
    code: 1,
    stderr: 'sluice: There is already a user named "pat".\n',
  });
  expect((await runSluice(['plugin', 'list', ...data])).stdout).toContain('rest-api');
  expect(await runSluice(['audit', 'verify', ...data])).toMatchObject({ code: 0, stderr: '' });
  expect((await runSluice(['restore', join(folder, 'x'), ...data], { input: 'passphrase12\n' })).stderr).toContain(
    'Sluice is running on the data folder',
  );
  host.child.kill('SIGTERM');
  await host.ended;
  expect(await runSluice(['user', 'reset-password', 'pat', ...data], { input: 'another password\n' })).toMatchObject({
    code: 0,
  });
  const before = contentOf(folder);
  expect(await runSluice(['audit', 'verify', ...data])).toMatchObject({ code: 0 });
  expect(contentOf(folder)).toEqual(before);
  const { ui: again } = await serve().ready;
  await logIn(again, { name: 'pat', password: 'another password' });
});

test('a backup made while Sluice runs is restored into an empty folder with the same keys and users', async () => {
  const host = serve();
  const admin = await administrator(host);
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  // The gateway keeps their files open from now on.
  const tag = { path: 'speed', type: 'number', source: { provider: 'memory', initial: 7 } };
  await admin.send('POST', '/projects/line-7/tags', tag);
  await admin.send('PUT', '/projects/line-7/variables/recipe', { value: 'cola' });
  const file = join(folder, 'line.backup');
  const passphrase = { input: 'a long passphrase\n' };
  expect(await runSluice(['backup', file, '--with-journal', '--data', folder], passphrase)).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await runSluice(['backup', file, '--data', folder], passphrase)).stderr).toContain('could not be written');
  const spare = join(folder, 'spare');
  expect(await runSluice(['restore', file, '--data', spare, '--secret-store', 'file'], passphrase)).toMatchObject({
    code: 0,
  });
  const other = startSluice(['serve', '--data', spare, ...FREE]);
  running.push(other);
  const { ui } = await other.ready;
  const there = await logIn(ui, { name: 'eve', password: PASSWORD });
  expect(await there.send('GET', '/projects')).toMatchObject({ items: [{ id: 'line-7' }] });
  expect(await there.send('GET', '/projects/line-7/variables/recipe')).toMatchObject({ value: 'cola' });
});

async function startPipeline(admin: AdminClient, seconds: number): Promise<void> {
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.send('POST', '/projects/line-7/pipelines', {
    id: 'slow',
    name: 'Slow',
    nodes: [
      { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', urlPattern: '/slow', authType: 'none' } },
      { id: 'note', kind: 'log', settings: { message: 'taken up' } },
      { id: 'wait', kind: 'delay', settings: { seconds } },
      { id: 'out', kind: 'http-response', settings: { status: 200 } },
    ],
    wires: [
      { from: 'in', port: 'out', to: 'note' },
      { from: 'note', port: 'out', to: 'wait' },
      { from: 'wait', port: 'out', to: 'out' },
    ],
  });
  await admin.send('POST', '/projects/line-7/pipelines/slow/start', {});
}

/** Every file with its SHA-256. */
function contentOf(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return files.map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`);
}
