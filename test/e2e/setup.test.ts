import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { ROOT } from '#test/paths.ts';
import { startService, type TestService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { expectAccessible } from './accessible.ts';
import { openBrowser, openPage, type TestBrowser, type Watch } from './chromium.ts';
import { ADMINISTRATOR, logIn, logOut } from './steps.ts';

/**
 * The steps of the set-up, then projects as files, on an appliance whose ports are settings: each test begins where the
 * previous one ended.
 */
const STORY_MS_MAX = 120_000;

let folder: Awaited<ReturnType<typeof tempDir>>;
let service: TestService;
let browser: TestBrowser;
let page: Page;
let watch: Watch;
/** A program of another user. */
let taken: Server;
let takenPort = 0;

/** A vault with free ports in its settings, and without users: ports that a flag fixes could not be changed here. */
async function savePorts(dataDir: string): Promise<void> {
  const program = join(ROOT, 'main/vault/testing/save-settings.ts');
  const settings = { gatewayPort: await freePort(), uiPort: await freePort() };
  await promisify(execFile)(process.execPath, [program, dataDir, JSON.stringify(settings)]);
}

beforeAll(async () => {
  folder = await tempDir('sluice-setup-');
  await savePorts(folder.path);
  service = await startService([], { dataDir: folder.path, savedPorts: true });
  taken = createServer((socket) => socket.end());
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const address = taken.address();
  takenPort = typeof address === 'object' && address !== null ? address.port : 0;
  browser = await openBrowser();
  ({ page, watch } = await openPage(browser, service.ready.ui));
}, STORY_MS_MAX);

afterAll(async () => {
  taken?.close();
  await browser?.close();
  await service?.stop();
  await folder?.remove();
});

afterEach(() => {
  expect(watch).toEqual({ violations: [], foreignRequests: [], pageErrors: [] });
});

const stepNow = () => page.locator('[aria-current=step]').innerText();
const heading = (name: string) => page.getByRole('heading', { name });

test(
  'step 1 works with the keyboard, creates the Administrator and continues to the address',
  { timeout: STORY_MS_MAX },
  async () => {
    const token = (await readFile(join(folder.path, 'setup-token'), 'utf8')).trim();
    await page.goto(service.ready.ui);
    await page.getByLabel('Set-up token').waitFor();
    await expectAccessible(page, 'set-up, step 1');
    await page.getByLabel('Set-up token').focus();
    await page.keyboard.type('not the token');
    await page.keyboard.press('Tab');
    await page.keyboard.type(ADMINISTRATOR.name);
    await page.keyboard.press('Tab');
    await page.keyboard.type(ADMINISTRATOR.password);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Set-up token').evaluate((field) => field.matches(':focus'))).toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(token.toLowerCase().replaceAll('-', ''));
    await page.keyboard.press('Enter');
    await heading('How do callers reach this gateway?').waitFor();
    expect(await stepNow()).toContain('Address and ports');
  },
);

test('a reload in step 2 returns to step 2', { timeout: STORY_MS_MAX }, async () => {
  await page.reload();
  await heading('How do callers reach this gateway?').waitFor();
  await page.getByRole('region', { name: 'Live test' }).getByText(`Port ${service.gatewayPort} answers`).waitFor();
});

test('a port in use is shown while typing, with a free one to select', { timeout: STORY_MS_MAX }, async () => {
  const found = page.getByRole('region', { name: 'Live test' });
  await page.getByLabel('Base URL').fill('nonsense');
  await found.getByText('Not tested').waitFor();
  await expect.poll(() => found.getByRole('listitem').count()).toBe(0);
  await page.getByLabel('Base URL').fill('https://localhost');
  await page.getByLabel('Gateway port').fill(String(takenPort));
  await found.getByText(`Port ${takenPort} is in use`).waitFor();
  const note = page.getByRole('alert').filter({ hasText: `Port ${takenPort} is used by` });
  await expect.poll(() => page.getByRole('button', { name: 'Next: project' }).isDisabled()).toBe(true);
  await expectAccessible(page, 'set-up, step 2 with a port that is taken');
  const use = note.getByRole('button', { name: /^Use \d+$/ });
  const free = Number((await use.innerText()).replace('Use ', ''));
  await use.click();
  await found.getByText(`Port ${free} is free`).waitFor();
  expect(await page.getByRole('radio', { name: /^TLS with a certificate/ }).isChecked()).toBe(true);
  await page.getByRole('radio', { name: /^Plain HTTP/ }).check();
  expect(await page.getByLabel('Base URL').inputValue()).toBe('http://localhost');
  await page.getByLabel('Base URL').fill('http://127.0.0.1');
  await found.getByText('127.0.0.1 works on this PC only').waitFor();
  await page.getByRole('button', { name: 'Next: project' }).click();
  await heading('How do you want to start?').waitFor();
  await service.admin.logIn(ADMINISTRATOR.name, ADMINISTRATOR.password);
  expect(await service.admin.ok('GET', '/settings')).toMatchObject({ gatewayPort: free, baseUrl: 'http://127.0.0.1' });
  await expect.poll(async () => (await service.status()).gateway.port).toBe(free);
});

test('a postponed set-up is found in the account menu, also after a log-out', { timeout: STORY_MS_MAX }, async () => {
  await page.getByRole('button', { name: 'Finish later' }).click();
  await heading('Overview').waitFor();
  await logOut(page, ADMINISTRATOR);
  await logIn(page, ADMINISTRATOR);
  await page.getByRole('button', { name: `Account: ${ADMINISTRATOR.name}` }).click();
  await page.getByRole('menuitem', { name: 'Continue set-up' }).click();
  await heading('How do you want to start?').waitFor();
});

test('TLS is selected in step 2, and plain HTTP again', { timeout: STORY_MS_MAX }, async () => {
  const protocolOf = async () => {
    const { tls, baseUrl } = await service.admin.ok<{ tls: string; baseUrl: string }>('GET', '/settings');
    return [tls, baseUrl];
  };
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await page.getByRole('radio', { name: /^Plain HTTP/ }).isChecked()).toBe(true);
  await page.getByRole('radio', { name: /^TLS with a certificate/ }).check();
  await page.getByRole('button', { name: 'Next: project' }).click();
  await heading('How do you want to start?').waitFor();
  expect(await protocolOf()).toEqual(['own', 'https://127.0.0.1']);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('radio', { name: /^Plain HTTP/ }).check();
  await page.getByRole('button', { name: 'Next: project' }).click();
  await heading('How do you want to start?').waitFor();
  expect(await protocolOf()).toEqual(['off', 'http://127.0.0.1']);
});

test('the set-up ends with the first call, which is ticked off', { timeout: STORY_MS_MAX }, async () => {
  await expectAccessible(page, 'set-up, step 3');
  await page.getByRole('radio', { name: /Sample project/ }).check();
  await page.getByRole('button', { name: 'Next: first call' }).click();
  await heading('Make the first call').waitFor();
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByTestId('key-value').innerText();
  await page.getByText('Waiting for the first call with this key').waitFor();
  await expectAccessible(page, 'set-up, step 4');
  const line = await page.locator('pre').last().innerText();
  const env = { ...process.env, SLUICE_API_KEY: key };
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
  expect(stdout).toContain('HTTP/1.1 200 OK');
  await page.getByText(/^First call received/).waitFor();
  await page.getByRole('button', { name: 'Open Overview' }).click();
  await heading('Overview').waitFor();
  const keys = '/projects/sample-line/keys';
  const { items } = await service.admin.ok<{ items: { id: string; name: string }[] }>('GET', keys);
  expect(items.map(({ name }) => name)).toEqual(['First call']);
  await service.admin.ok('POST', `${keys}/${items[0]?.id ?? ''}/revoke`);
});

test(
  'the sample project runs at once, and its route can be called from outside',
  { timeout: STORY_MS_MAX },
  async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pipelines' }).click();
    await heading('Pipelines').waitFor();
    await page.getByText('6 of 6 running.').waitFor();
    const gateway = `http://127.0.0.1:${(await service.status()).gateway.port}/api/v1/sample`;
    const health = await fetch(`${gateway}/health`);
    expect([health.status, await health.json()]).toEqual([200, { ok: true }]);

    const scopes = ['db:read', 'db:write', 'tag:read', 'tag:write', 'vars:read'];
    const { key } = await service.admin.ok<{ key: string }>('POST', '/projects/sample-line/keys', {
      name: 'MES',
      scopes,
    });
    const call = async (method: string, path: string, body?: unknown) => {
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
      const response = await fetch(gateway + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    };
    const order = { orderId: 'WO-1', product: 'Water 0.5 l', quantity: 10 };
    expect(await call('GET', '/orders/WO-1')).toMatchObject({ status: 404 });
    expect(await call('POST', '/orders', order)).toEqual({ status: 201, body: { accepted: 'WO-1' } });
    expect(await call('POST', '/orders', { orderId: 'x' })).toMatchObject({ status: 400 });
    expect(await call('GET', '/orders/WO-1')).toMatchObject({ status: 200, body: order });
    expect(await call('PUT', '/line/setpoint', { speed: 200 })).toMatchObject({ status: 200 });
    expect(await call('GET', '/line')).toMatchObject({
      status: 200,
      body: {
        tags: {
          'sample/order': { value: 'WO-1' },
          'sample/speed-setpoint': { value: 200 },
          'sample/speed': { quality: 'good' },
        },
      },
    });
  },
);

test('the steps are no longer shown to anyone', { timeout: STORY_MS_MAX }, async () => {
  await page.reload();
  await heading('Pipelines').waitFor();
  await page.getByRole('button', { name: `Account: ${ADMINISTRATOR.name}` }).click();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Continue set-up' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  const other = await openPage(browser, service.ready.ui);
  await other.page.goto(service.ready.ui);
  await logIn(other.page, ADMINISTRATOR);
  await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
  await other.close();
});

test('a project is exported as a file and imported again next to itself', { timeout: STORY_MS_MAX }, async () => {
  await page.getByRole('link', { name: 'Projects' }).click();
  await heading('Projects').waitFor();
  await expectAccessible(page, 'projects');
  await page.getByRole('button', { name: 'Actions for Sample line' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export project' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('sample-line.sluice.json');
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toMatch(/^\{\n {2}"sluice": "project",\n/);

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Import project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import project' });
  await dialog
    .getByLabel('Choose file')
    .setInputFiles({ name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await dialog.getByText('“notes.json” was not exported from Sluice.').waitFor();
  await dialog
    .getByLabel('Choose file')
    .setInputFiles({ name: 'sample-line.sluice.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await dialog.getByText('6 pipelines, 1 query, 4 tags').waitFor();
  await expect.poll(() => dialog.getByLabel('ID').inputValue()).toBe('sample-line-2');
  await expectAccessible(page, 'import of a project');
  await dialog.getByLabel('Name').fill('Second line');
  await dialog.getByRole('button', { name: 'Import project' }).click();
  const done = page.getByRole('dialog', { name: 'Second line was imported' });
  await done.getByText('Nothing is running yet.').waitFor();
  await done.getByRole('button', { name: 'Close' }).click();
  const [first, second] = await Promise.all(
    ['sample-line', 'sample-line-2'].map((id) => service.admin.ok<object>('GET', `/projects/${id}/export`)),
  );
  expect(second).toEqual({ ...first, project: { id: 'sample-line-2', name: 'Second line' } });
});

test('a project is renamed, and is deleted only when nothing in it is in use', { timeout: STORY_MS_MAX }, async () => {
  const act = async (project: string, name: string) => {
    await page.getByRole('button', { name: `Actions for ${project}` }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Second line', 'Rename project');
  await page.getByRole('dialog').getByLabel('Name').fill('Line two');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename project' }).click();
  await page.getByText('The project is now named Line two.').waitFor();

  await act('Sample line', 'Delete project');
  const blocked = page.getByRole('dialog', { name: 'Sample line cannot be deleted yet' });
  await blocked.getByText('6 pipelines are running').waitFor();
  await blocked.getByText('1 key is valid: MES. Revoke it first.').waitFor();
  await blocked.getByRole('button', { name: 'Close' }).click();

  await act('Line two', 'Delete project');
  const dialog = page.getByRole('dialog', { name: 'Delete Line two?' });
  await dialog.getByText('6 stopped pipelines are deleted').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Delete project' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Line two is no longer needed.').check();
  await dialog.getByRole('button', { name: 'Delete project' }).click();
  await page.getByText('The project Line two was deleted.').waitFor();
  expect((await service.admin.request('GET', '/projects/sample-line-2')).status).toBe(404);
});

test(
  'a pipeline is exported and imported on the page, and a user with view rights sees no such buttons',
  { timeout: STORY_MS_MAX },
  async () => {
    const file = await service.admin.ok('GET', '/projects/sample-line/pipelines/orders/export');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pipelines' }).click();
    await page.getByRole('button', { name: 'Import pipeline' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import pipeline' });
    const buffer = Buffer.from(JSON.stringify(file));
    await dialog
      .getByLabel('Choose file')
      .setInputFiles({ name: 'orders.sluice.json', mimeType: 'application/json', buffer });
    await dialog.getByRole('button', { name: 'Import pipeline' }).click();
    await page.getByRole('dialog', { name: 'Take orders was imported' }).getByRole('button', { name: 'Close' }).click();
    expect(await service.admin.ok('GET', '/projects/sample-line/pipelines/orders-2')).toMatchObject({
      state: 'stopped',
    });

    await service.admin.ok('POST', '/users', {
      name: 'V. Iewer',
      password: 'looks and touches nothing',
      roles: ['Viewer'],
    });
    const viewer = await openPage(browser, service.ready.ui);
    await viewer.page.goto(`${service.ready.ui}/projects`);
    await logIn(viewer.page, { name: 'V. Iewer', password: 'looks and touches nothing' });
    await viewer.page.getByRole('button', { name: 'Actions for Sample line' }).click();
    await expect
      .poll(() => viewer.page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Open pipelines', 'Export project']);
    expect(await viewer.page.getByRole('button', { name: 'Import project' }).count()).toBe(0);
    await viewer.close();
  },
);
