import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeApiKey } from '#common/api-key.ts';
import { createLogger } from '#common/node/log.ts';
import { type Client, createHarness, type Harness, PASSWORD } from '../admin-api/harness.testing.ts';
import { createShellView, type ShellView } from '../host/shell-view.ts';
import { diagnosticsName, writeDiagnostics } from './diagnostics.ts';
import { openLogFiles } from './log-files.ts';

/** Secrets of every kind, planted in real stores and in the log, then searched for in the file. */
const CONNECTION_PASSWORD = 'correct-battery-staple';
const HEADER_VALUE = 'Bearer sesame-open-2026';
const METRICS_TOKEN = 'metrics token of 28 letters';
const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\nZW5naW5lZXJpbmc=\n-----END PRIVATE KEY-----';
const PAYLOAD = 'order-4711-for-a-customer';
const API_KEY = makeApiKey(randomBytes).value;

let harness: Harness;
let admin: Client;
let view: ShellView;
let folder: string;
beforeEach(async () => {
  harness = await createHarness();
  admin = await harness.setUp();
  folder = await mkdtemp(join(tmpdir(), 'sluice-diagnostics-test-'));
  const { keys, settings, projects, secrets, gateway, routes, traffic, alarms, startedAt } = harness.deps;
  view = createShellView({
    dataDir: harness.dataDir,
    startedAt,
    gateway,
    routes,
    traffic,
    alarms,
    keys,
    settings,
    projects,
    secrets,
  });
});
afterEach(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

async function plantSecrets(): Promise<void> {
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.send('POST', '/projects/line-7/connections', {
    id: 'mes',
    name: 'MES',
    settings: { kind: 'postgresql', host: 'db.local', database: 'mes', user: 'mes', password: CONNECTION_PASSWORD },
  });
  const settings = {
    mode: 'egress',
    url: 'https://mes.local/orders',
    method: 'POST',
    timeout: 5,
    staticHeaders: { Authorization: HEADER_VALUE },
    tls: { ca: null, certificate: '-----BEGIN CERTIFICATE-----', key: PRIVATE_KEY },
  };
  const nodes = [{ id: 'call', kind: 'rest-api', settings }];
  expect((await admin.send('POST', '/projects/line-7/pipelines', { id: 'report', name: 'R', nodes })).status).toBe(201);
  expect((await admin.send('PATCH', '/settings', { metricsToken: METRICS_TOKEN })).status).toBe(200);
}

/** Careless lines that bypass the logger, as a library might print them. */
async function plantLog(logFolder: string): Promise<void> {
  const logs = openLogFiles(logFolder);
  const log = createLogger('host', logs.write);
  log.info('gateway ended', { pid: 4711, reason: 'silent for 10 s' });
  log.warn(`connect failed for ${CONNECTION_PASSWORD}`, { config: { headers: { a: HEADER_VALUE }, body: PAYLOAD } });
  for (const secret of [CONNECTION_PASSWORD, HEADER_VALUE, METRICS_TOKEN, PRIVATE_KEY, API_KEY]) {
    logs.write(`Error: it was ${secret}\n`);
    logs.write(`${JSON.stringify({ said: secret, again: encodeURIComponent(secret) })}\n`);
    logs.write(`GET /x?a=${encodeURIComponent(secret)} ${Buffer.from(secret).toString('base64')}\n`);
  }
  logs.write(`Cookie: sluice_session_8091=${admin.cookie}\n`);
  logs.write(`X-CSRF-Token: ${admin.csrfToken}\n`);
  logs.write(`log-in with password=${PASSWORD.replaceAll(' ', '-')}\n`);
  logs.close();
}

async function unpacked(input: Partial<Parameters<typeof writeDiagnostics>[1]> = {}): Promise<Map<string, string>> {
  const target = join(folder, diagnosticsName(new Date()));
  await writeDiagnostics(target, {
    dataDir: harness.dataDir,
    logFolder: join(harness.dataDir, 'desktop', 'logs'),
    about: { sluice: '1.2.3' },
    state: view.state(),
    settings: view.settings(),
    secrets: await view.secrets(),
    ...input,
  });
  expect((await stat(target)).mode & 0o077).toBe(0);
  const out = await mkdtemp(join(folder, 'out-'));
  await extract({ file: target, cwd: out });
  const names = await readdir(out);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(out, name), 'utf8')] as const)),
  );
}

describe('the diagnostics file', () => {
  test('contains no secret, no payload and no header value, in any spelling', async () => {
    await plantSecrets();
    await plantLog(join(harness.dataDir, 'desktop', 'logs'));
    const whole = [...(await unpacked())].flat().join('\n');
    for (const secret of [CONNECTION_PASSWORD, HEADER_VALUE, METRICS_TOKEN, PRIVATE_KEY, API_KEY]) {
      expect(whole).not.toContain(secret);
      expect(whole).not.toContain(encodeURIComponent(secret));
      expect(whole).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
    }
    for (const part of ['ZW5naW5lZXJpbmc', 'sesame', PAYLOAD, 'correct-horse', admin.csrfToken, API_KEY.slice(17)])
      expect(whole).not.toContain(part);
    expect(whole).not.toContain(admin.cookie.split('=')[1]);
  });

  test('contains what helps: versions, state, alarms, settings, logs, and the names and sizes of files', async () => {
    await plantSecrets();
    await plantLog(join(harness.dataDir, 'desktop', 'logs'));
    const files = await unpacked();
    expect([...files.keys()].toSorted()).toEqual([
      'about.json',
      'files.txt',
      'settings.json',
      'sluice.log',
      'state.json',
    ]);
    expect(JSON.parse(files.get('about.json') ?? '')).toEqual({ sluice: '1.2.3' });
    expect(JSON.parse(files.get('state.json') ?? '')).toMatchObject({
      gateway: { state: 'running', port: 8090 },
      alarms: [{ code: 'plain_http' }],
    });
    expect(JSON.parse(files.get('settings.json') ?? '')).toMatchObject({
      gatewayPort: 8090,
      metricsToken: { set: true },
      tlsKey: null,
    });
    expect(files.get('sluice.log')).toContain('"message":"gateway ended","pid":4711,"reason":"silent for 10 s"');
    expect(files.get('files.txt')).toMatch(/^\d+\t\d{4}-.+\tvault\.db$/m);
    expect(files.get('files.txt')).toMatch(/^\d+\t.+\tdesktop\/logs\/sluice\.log$/m);
  });

  test('opens no files except the logs: contents of others are not in it', async () => {
    await mkdir(join(harness.dataDir, 'projects', 'line-7', 'files'), { recursive: true });
    await writeFile(join(harness.dataDir, 'projects', 'line-7', 'files', 'recipe.csv'), 'very;own;recipe');
    const files = await unpacked();
    expect(files.get('files.txt')).toContain('projects/line-7/files/recipe.csv');
    expect([...files.values()].join('')).not.toContain('very;own');
  });

  test('has the last complete lines of a long log', async () => {
    const logs = openLogFiles(join(harness.dataDir, 'desktop', 'logs'));
    for (let line = 0; line < 40_000; line++) logs.write(`line ${line} with some more words to it\n`);
    logs.close();
    const lines = ((await unpacked()).get('sluice.log') ?? '').trimEnd().split('\n');
    expect(lines).toHaveLength(5_000);
    expect(lines[0]).toMatch(/^line \d+ with/);
    expect(lines.at(-1)).toBe('line 39999 with some more words to it');
  });

  test('that cannot be written leaves nothing behind', async () => {
    const before = await readdir(tmpdir());
    await expect(
      writeDiagnostics(join(folder, 'none', 'x.tar.gz'), {
        dataDir: harness.dataDir,
        logFolder: folder,
        about: {},
        state: {},
        settings: {},
        secrets: [],
      }),
    ).rejects.toThrow('ENOENT');
    const left = (await readdir(tmpdir())).filter((name) => !before.includes(name));
    expect(left.filter((name) => /^sluice-diagnostics-(?!test)/.test(name))).toEqual([]);
  });
});

describe('reports of the host to the desktop app', () => {
  test('every secret that it can read is known, so that it can be removed', async () => {
    await plantSecrets();
    expect((await view.secrets()).toSorted()).toEqual(
      [CONNECTION_PASSWORD, HEADER_VALUE, METRICS_TOKEN, PRIVATE_KEY].toSorted(),
    );
  });

  test('an unused set-up token is one of them', async () => {
    await writeFile(join(harness.dataDir, 'setup-token'), 'token-of-the-first-start\n');
    expect(await view.secrets()).toEqual(['token-of-the-first-start']);
  });

  test('routes count as started while their pipeline should run, and respond while the gateway runs', async () => {
    await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
    const nodes = [
      { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', method: 'GET', urlPattern: '/api/v1/x' } },
      { id: 'out', kind: 'http-response', settings: {} },
    ];
    const wires = [{ from: 'in', port: 'out', to: 'out' }];
    const made = await admin.send('POST', '/projects/line-7/pipelines', { id: 'x', name: 'X', nodes, wires });
    expect(made.body).toMatchObject({ id: 'x' });
    expect(view.state()).toMatchObject({ routesStarted: 0, routesAnswering: 0 });
    harness.projects.setWanted('line-7', 'x', 1);
    expect(view.state()).toMatchObject({ routesStarted: 1, routesAnswering: 1 });
    harness.gateway.state = 'dead';
    expect(view.state()).toMatchObject({ routesStarted: 1, routesAnswering: 0, gateway: { state: 'dead' } });
  });

  test('its listeners are notified of the gateway until they are removed', () => {
    let heard = 0;
    const leave = view.onChange(() => heard++);
    harness.gateway.emit({ kind: 'state' });
    leave();
    harness.gateway.emit({ kind: 'state' });
    expect(heard).toBe(1);
  });

  test('the callers are read from its traffic', async () => {
    expect(await view.activity()).toEqual({ callers: [], callsPerSecond: null });
  });
});
