import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminClient } from '#test/admin-client.ts';
import { freePort } from '#test/free-port.ts';
import { ROOT } from '#test/paths.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { openBrowser, type TestBrowser } from './chromium.ts';

/** `npm run dev` on a copy of the sources: saved changes appear in the browser and in the gateway. */
const COPIED = ['build', 'common', 'docs/samples', 'gateway', 'main', 'plugins', 'renderer', 'test/support'];
const STARTED = { timeoutMs: 60_000 };
const PASSWORD = /^Development user: (\S+), password (\S+)$/m;

const checkout = dirPerFile(() => tempDir('sluice-dev-'));
let dev: ChildProcess;
let browser: TestBrowser;
let page: Page;
let ui = '';
let gatewayPort = 0;
let output = '';

const file = (path: string): string => join(checkout.path, path);

/** Replaces a text in `path`. */
function edit(path: string, from: string, to: string): void {
  const text = readFileSync(file(path), 'utf8');
  expect(text.split(from), `${from} in ${path}`).toHaveLength(2);
  writeFileSync(file(path), text.replace(from, to));
}

/** Prints the milliseconds since `began`: for information, not checked by a test. */
function report(what: string, began: number): void {
  console.log(`${what}: ${Math.round(performance.now() - began)} ms`);
}

beforeAll(async () => {
  for (const part of COPIED)
    cpSync(join(ROOT, part), file(part), { recursive: true, filter: (path) => !path.endsWith('/dist') });
  for (const part of ['package.json', 'tsconfig.base.json']) cpSync(join(ROOT, part), file(part));
  symlinkSync(join(ROOT, 'node_modules'), file('node_modules'));
  gatewayPort = await freePort();
  const uiPort = await freePort();
  ui = `http://127.0.0.1:${uiPort}`;
  const flags = ['--ui-port', String(uiPort), '--gateway-port', String(gatewayPort)];
  dev = spawn(process.execPath, [file('build/dev.ts'), ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (text) => (output += String(text)));
  await until('the host is ready', () => PASSWORD.test(output), STARTED);
  browser = await openBrowser();
  page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  page.setDefaultTimeout(STARTED.timeoutMs);
});
afterAll(async () => {
  await browser?.close();
  dev?.kill('SIGTERM');
  if (dev?.exitCode === null) await once(dev, 'exit');
});

test('the browser is logged in as the development user', async () => {
  await page.goto(ui);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('another origin gets neither a session nor the pages', async () => {
  const foreign = { origin: 'http://127.0.0.1:1' };
  const { 1: name = '', 2: password = '' } = PASSWORD.exec(output) ?? [];
  expect((await createAdminClient(ui).request('POST', '/session', { name, password }, foreign)).status).toBe(403);
  const login = await fetch(`${ui}/dev/log-in`, { headers: { accept: 'text/html', ...foreign } });
  expect([login.status, login.headers.get('access-control-allow-origin')]).toEqual([200, null]);
});

test('files next to the sources of the pages are not served', async () => {
  const stored = await fetch(`${ui}/@fs${file('data/dev/developer.json')}`);
  expect(stored.status).toBe(403);
});

test('a changed text appears in the browser', async () => {
  const began = performance.now();
  edit('common/languages/en/ui.ts', "    main: 'Main',", "    main: 'Main pages',");
  await page.getByRole('navigation', { name: 'Main pages' }).waitFor();
  report('changed text in the browser', began);
});

test('a changed node kind is served by a new gateway of the same host', async () => {
  const { 1: name = '', 2: password = '' } = PASSWORD.exec(output) ?? [];
  const admin = createAdminClient(ui);
  await admin.logIn(name, password);
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  await admin.run('line-1', routePipeline({ id: 'status', path: '/status', middle: [] }));
  const { key } = await admin.ok<{ key: string }>('POST', '/projects/line-1/keys', { name: 'MES', scopes: [] });
  const status = async (): Promise<number> =>
    (await fetch(`http://127.0.0.1:${gatewayPort}/status`, { headers: { 'X-API-Key': key } })).status;
  expect(await status()).toBe(200);

  const began = performance.now();
  edit(
    'plugins/http-response/index.ts',
    'if (status === undefined) return 200;',
    'if (status === undefined) return 202;',
  );
  await until('the changed kind answers', async () => (await status().catch(() => 0)) === 202, STARTED);
  report('changed node kind at the gateway', began);
  await until('the restart is reported', () => output.includes('The gateway serves'), STARTED);
  expect(output.split('The host serves')).toHaveLength(2);
});

test('the page is logged in to the new host after a change of the host', async () => {
  writeFileSync(file('main/service.ts'), `${readFileSync(file('main/service.ts'), 'utf8')}// saved\n`);
  await until('the new host serves', () => output.split('The host serves').length === 3, STARTED);
  await page.goto(`${ui}/journal`);
  await page.getByRole('navigation', { name: 'Main pages' }).waitFor();
});
