import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openApiFaults } from '#common/model/openapi-faults.testing.ts';
import { expectAccessible } from './accessible.ts';
import type { Appliance } from './appliance.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/** The Routes page: its actions, for each role, and calls that work when they are copied. */

const run = promisify(execFile);

const appliance = applianceOfFile();
let key = '';
const watches: Watch[] = [];

type Settings = Record<string, unknown>;
const pipeline = (id: string, name: string, route: Settings, reply: Settings = {}, schema?: unknown) => ({
  id,
  name,
  nodes: [
    { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', ...route } },
    ...(schema === undefined ? [] : [{ id: 'check', kind: 'validate', settings: { schema } }]),
    { id: 'out', kind: 'http-response', settings: reply },
  ],
  wires:
    schema === undefined
      ? [{ from: 'in', port: 'out', to: 'out' }]
      : [
          { from: 'in', port: 'out', to: 'check' },
          { from: 'check', port: 'out', to: 'out' },
          { from: 'check', port: 'invalid', to: 'out' },
        ],
});

const order = {
  type: 'object',
  required: ['orderId', 'note'],
  properties: {
    orderId: { type: 'string', examples: ['A-204416'] },
    note: { type: 'string', examples: ['it\'s "5 $" ü'] },
  },
};
/** Path and body contain characters that shells and languages treat specially. */
const AWKWARD = "/api/v1/it's/$HOME/orders/:id";

async function put(project: string, definition: { id: string }, start = true): Promise<void> {
  const { admin } = appliance.service;
  await admin.ok('POST', `/projects/${project}/pipelines`, definition);
  if (start) await admin.ok('POST', `/projects/${project}/pipelines/${definition.id}/start`, {});
}

beforeAll(async () => {
  const { admin } = appliance.service;
  await admin.ok('PATCH', '/settings', { baseUrl: 'http://127.0.0.1' });
  await admin.ok('POST', '/projects', { id: 'line-2', name: 'Filling line 2' });
  await admin.ok('POST', '/projects', { id: 'line-3', name: 'Filling line 3' });
  const route = { method: 'POST', urlPattern: AWKWARD, requiredScopes: ['db:write'], rateLimit: 50, burstLimit: 10 };
  await put('line-2', pipeline('orders', 'Orders', route, { status: 201 }, order));
  await put('line-2', pipeline('recipe', 'Recipe', { method: 'PATCH', urlPattern: '/api/v1/recipes/:sku' }));
  await put('line-2', pipeline('look-up', 'Order look-up', { urlPattern: '/api/v1/orders/:id' }), false);
  await put(
    'line-3',
    pipeline('health', 'Health', { urlPattern: '/api/v1/health', authType: 'none' }, { body: { ok: true } }),
  );
  const made = await admin.ok<{ key: string }>('POST', '/projects/line-2/keys', {
    name: 'MES line 7',
    scopes: ['db:write'],
  });
  key = made.key;
});

afterEach(() => {
  for (const watch of watches.splice(0)) expect(watch).toEqual(CLEAN);
});

async function openRoutes(role: Parameters<Appliance['window']>[0], options?: Parameters<Appliance['window']>[1]) {
  const window = await appliance.window(role, options);
  watches.push(window.watch);
  await window.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Routes' }).click();
  return window;
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const open = (page: Page, name: string) => page.getByRole('button', { name: `Show ${name}` }).click();

async function codeIn(page: Page, language: string): Promise<string> {
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: language, exact: true }).click();
  return panel.locator('pre').innerText();
}

test('a user with view rights sees the routes, which of them are public, and finds a route by its words', async () => {
  const { page, close } = await openRoutes('Viewer');
  await page.getByText('3 of 4 routes answer.').waitFor();
  await page.getByText('1 is public.').waitFor();
  await row(page, '/api/v1/health').filter({ hasText: 'Public' }).waitFor();
  await row(page, '/api/v1/orders/:id').filter({ hasText: 'Stopped' }).waitFor();
  await row(page, AWKWARD).filter({ hasText: 'db:write' }).filter({ hasText: '50 /s' }).waitFor();
  await page.getByLabel('Find a route').fill('patch RECIPE');
  await page.getByText('1 route', { exact: true }).waitFor();
  await page.getByLabel('Find a route').fill('nothing like it');
  await page.getByRole('button', { name: 'Show all routes' }).click();
  await page.getByLabel('Project').selectOption('Filling line 3');
  await page.getByText('1 route', { exact: true }).waitFor();
  await row(page, 'Health').getByRole('link').click();
  await page.waitForURL('**/pipelines/line-3/health');
  await close();
});

test('the calls on the page run as copied: curl, Python, and the Node-RED flow', async () => {
  const { page, close } = await openRoutes('Viewer');
  await open(page, `POST ${AWKWARD}`);
  const panel = page.getByRole('complementary', { name: `POST ${AWKWARD}` });
  await panel.getByText(`http://127.0.0.1:${appliance.service.gatewayPort}${AWKWARD}`, { exact: true }).waitFor();
  await panel.getByText('Only users with the permission “Manage keys” can see the keys.').waitFor();

  const curl = await codeIn(page, 'curl');
  expect(curl).toContain('<API_KEY>');
  expect((await run('sh', ['-c', curl.replace('<API_KEY>', key)])).stdout).toMatch(/^HTTP\/1\.1 201 /);
  expect((await run('sh', ['-c', curl])).stdout).toMatch(/^HTTP\/1\.1 401 /);

  const python = await codeIn(page, 'Python');
  const env = { ...process.env, SLUICE_API_KEY: key };
  expect((await run('python3', ['-c', python], { env })).stdout).toMatch(/^201 .*A-204416.*ü/);

  expect(await asNodeRed(await codeIn(page, 'Node-RED'))).toBe(201);
  expect(await codeIn(page, 'C#')).toContain('Environment.GetEnvironmentVariable("SLUICE_API_KEY")');
  expect(await codeIn(page, 'Siemens LHTTP')).toContain("/it$'s/$$HOME/orders/1'");
  expect(await page.content()).not.toContain(key);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });

  await open(page, 'PATCH /api/v1/recipes/:sku');
  expect(await asNodeRed(await codeIn(page, 'Node-RED'))).toBe(200);
  expect((await run('python3', ['-c', await codeIn(page, 'Python')], { env })).stdout).toMatch(/^200 /);
  await close();
});

/** Does what Node-RED's inject and http request nodes are documented to do with their properties. */
async function asNodeRed(text: string): Promise<number> {
  const [inject, request] = JSON.parse(text);
  const message: Record<string, unknown> = { payload: JSON.parse(inject.payload) };
  for (const { p, v } of inject.props) if (v !== undefined) message[p] = v;
  const method = request.method === 'use' ? String(message['method']) : request.method;
  const fromEnvironment = (value: string) => value.replace(/^\$\{SLUICE_API_KEY\}$/, key);
  const headers: [string, string][] = request.headers.map(({ keyValue, valueValue }: Record<string, string>) => [
    keyValue,
    fromEnvironment(valueValue ?? ''),
  ]);
  const body = JSON.stringify(message['payload']);
  return (await fetch(request.url, { method, headers, body })).status;
}

test('an Administrator sees which consumers may call, and sees the draft', async () => {
  const { page, close } = await openRoutes('Administrator');
  await row(page, AWKWARD).filter({ hasText: '1 key' }).waitFor();
  await open(page, `POST ${AWKWARD}`);
  const panel = page.getByRole('complementary');
  await panel.getByText('MES line 7').first().waitFor();
  const changed = pipeline(
    'orders',
    'Orders',
    { method: 'POST', urlPattern: '/api/v2/orders' },
    { status: 201 },
    order,
  );
  await appliance.service.admin.ok('PUT', '/projects/line-2/pipelines/orders', changed);
  await panel.getByText('A newer draft changes this route.').waitFor();
  await expectAccessible(page, 'a route');
  await close();
});

test('the connection card prints on its own, on one sheet, with a QR code and without the key', async () => {
  const { page, close } = await openRoutes('Engineer');
  await open(page, `POST ${AWKWARD}`);
  await page.getByRole('button', { name: 'Connection card' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connection card' });
  await dialog.getByLabel('Caller').fill('Palletiser PLC');
  await dialog.getByRole('img', { name: /^QR code of http:/ }).waitFor();
  await expectAccessible(page, 'the connection card');
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await dialog.getByRole('button', { name: 'Print card' }).click();
  await expect.poll(() => page.locator('body[data-printed]').count()).toBe(1);
  await page.emulateMedia({ media: 'print' });
  const paper = page.locator('.print-only');
  await expect.poll(() => paper.isVisible()).toBe(true);
  await expect.poll(() => dialog.isVisible()).toBe(false);
  await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
  const text = await paper.innerText();
  expect(text).toContain('Palletiser PLC');
  expect(text).toContain('db:write');
  expect(text).not.toContain('slc_');
  for (const format of ['A4', 'A5']) expect(pagesOf(await page.pdf({ format })), format).toBe(1);
  await page.emulateMedia({ media: null });
  await close();
});

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

test('the OpenAPI document of a project can be read and downloaded', async () => {
  const { page, close } = await openRoutes('Viewer', { acceptDownloads: true });
  await page.getByRole('button', { name: 'OpenAPI' }).click();
  const dialog = page.getByRole('dialog', { name: 'OpenAPI of Filling line 2' });
  await dialog.getByLabel('OpenAPI document').waitFor();
  await expectAccessible(page, 'the OpenAPI document');
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download line-2-openapi.json' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('line-2-openapi.json');
  const document = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(openApiFaults(document)).toEqual([]);
  expect(Object.keys(document.paths)).toEqual(["/api/v1/it's/$HOME/orders/{id}", '/api/v1/recipes/{sku}']);
  expect(document.components.schemas.orders_in).toEqual(order);
  const url = `http://127.0.0.1:${appliance.service.gatewayPort}`;
  expect(document.servers).toEqual([{ url, description: 'Base URL of the gateway.' }]);
  await close();
});

test('with a thousand routes, only the visible ones are in the page, also at the end of the list', async () => {
  await importThousand();
  const { page, close } = await openRoutes('Administrator');
  await page.getByText('3 of 1004 routes answer.').or(page.getByText('3 of 1,004 routes answer.')).waitFor();
  const inPage = () => page.getByRole('row').count();
  await page.getByText('Route r-0', { exact: true }).waitFor();
  expect(await inPage()).toBeLessThan(40);
  await page.locator(SCROLLER).evaluate((list) => list.scrollTo(0, list.scrollHeight));
  // The head is the first row, so this is the last.
  await page.locator('[aria-rowindex="1005"]').waitFor();
  expect(await inPage()).toBeLessThan(40);
  await expectAccessible(page, 'a thousand routes');
  await close();
});

/** In one call; a second attempt of the test finds them. */
async function importThousand(): Promise<void> {
  const { admin } = appliance.service;
  const { items } = await admin.ok<{ items: { id: string }[] }>('GET', '/projects');
  if (items.some(({ id }) => id === 'many')) return;
  const pipelines = Array.from({ length: 1000 }, (_, index) =>
    pipeline(`r-${index}`, `Route r-${index}`, { urlPattern: `/api/v1/many/r-${index}` }),
  );
  const file = { sluice: 'project', format: 1, project: { id: 'many', name: 'Many' }, pipelines };
  await admin.ok('POST', '/projects/import', { file });
}

const SCROLLER = '.virtual-table';
