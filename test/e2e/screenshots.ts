import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { startService, type TestService } from '#test/service.ts';
import { openBrowser, openPage } from './chromium.ts';
import { ADMINISTRATOR, logIn, makeKey, makeRunningPipeline, open, setUp } from './steps.ts';

/**
 * Takes a picture of every page at two sizes, light and dark, into screenshots/ (not in git), so that a person can
 * look at them. `node test/e2e/screenshots.ts`
 */
const FOLDER = fileURLToPath(new URL('../../screenshots/', import.meta.url));

const LOOKS = [
  { name: '1280-light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: '1280-dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: '1920-light', viewport: { width: 1920, height: 1080 }, colorScheme: 'light' },
  { name: '1920-dark', viewport: { width: 1920, height: 1080 }, colorScheme: 'dark' },
] as const;
type Look = (typeof LOOKS)[number];

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const service = await startService();
  const browser = await openBrowser();
  try {
    for (const look of LOOKS) await inLook(browser, service, look, beforeSetUp);
    await inLook(browser, service, LOOKS[0], (page) => fill(page, service));
    for (const look of LOOKS) await inLook(browser, service, look, everyPage);
  } finally {
    await browser.close();
    await service.stop();
  }
  console.log(`pictures in ${FOLDER}`);
}

type Snap = (name: string) => Promise<void>;

async function inLook(
  browser: Browser,
  service: TestService,
  look: Look,
  visit: (page: Page, snap: Snap) => Promise<void>,
): Promise<void> {
  const { viewport, colorScheme } = look;
  const { page, watch, close } = await openPage(browser, service.ready.ui, {
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
  });
  await page.goto(service.ready.ui);
  await visit(page, async (name) => {
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(FOLDER, `${name}-${look.name}.png`) });
  });
  const seen = [...watch.violations, ...watch.foreignRequests, ...watch.pageErrors];
  if (seen.length > 0) throw new Error(`${look.name}: ${seen.join('; ')}`);
  await close();
}

async function beforeSetUp(page: Page, snap: Snap): Promise<void> {
  await page.getByLabel('Set-up token').waitFor();
  await snap('setup');
  await page.getByRole('button', { name: 'Create Administrator' }).click();
  await snap('setup-faults');
}

/** A project with a running, a stopped and a public pipeline, keys, calls and refusals. */
async function fill(page: Page, service: TestService): Promise<void> {
  const token = (await readFile(service.ready.setupTokenFile ?? '', 'utf8')).trim();
  await setUp(page, service.ready.ui, token, ADMINISTRATOR);
  await makeRunningPipeline(page);
  await service.admin.logIn(ADMINISTRATOR.name, ADMINISTRATOR.password);
  const path = '/projects/filling-line-2';
  const route = (id: string, name: string, settings: Record<string, unknown>) => ({
    id,
    name,
    nodes: [
      { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', ...settings } },
      { id: 'out', kind: 'http-response', settings: { status: 200, body: { ok: true } } },
    ],
    wires: [{ from: 'in', port: 'out', to: 'out' }],
  });
  await service.admin.ok(
    'POST',
    `${path}/pipelines`,
    route('look-up', 'Order look-up', { method: 'GET', urlPattern: '/api/v1/orders/:id', requiredScopes: ['db:read'] }),
  );
  await service.admin.ok('POST', `${path}/pipelines/look-up/start`, {});
  await service.admin.ok(
    'POST',
    `${path}/pipelines`,
    route('recipes', 'Recipes', {
      method: 'GET',
      urlPattern: '/api/v1/recipes/:sku',
      requiredScopes: ['file:read', 'tag:read'],
    }),
  );
  await service.admin.ok(
    'POST',
    `${path}/pipelines`,
    route('health', 'Health', { method: 'GET', urlPattern: '/api/v1/health', authType: 'none' }),
  );
  await service.admin.ok('POST', `${path}/pipelines/health/start`, {});
  await service.admin.ok('POST', `${path}/keys`, { name: 'Labeller L2', scopes: ['tag:read', 'db:read'] });
  await service.admin.ok('POST', `${path}/keys`, { name: 'Andon board', scopes: ['tag:read'] });
  const { record } = await service.admin.ok<{ record: { id: string } }>('POST', `${path}/keys`, {
    name: 'Old labeller L1',
    scopes: [],
  });
  await service.admin.ok('POST', `${path}/keys/${record.id}/revoke`, {});
  const { key } = await makeKey(page, 'MES line 7');
  const gateway = `http://127.0.0.1:${service.gatewayPort}/api/v1`;
  const call = (target: string, init: RequestInit = {}) =>
    fetch(gateway + target, { ...init, headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } });
  for (const orderId of ['A-204416', 'A-204417'])
    await call('/orders', { method: 'POST', body: JSON.stringify({ orderId }) });
  await call('/orders', { method: 'POST', body: '{}' });
  await call('/orders', { method: 'POST', body: '{' });
  await call('/orders/A-204417');
  await call('/recipes/WB-0750-ST');
  await call('/health');
}

async function everyPage(page: Page, snap: Snap): Promise<void> {
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await snap('log-in');
  await logIn(page, ADMINISTRATOR);
  await page.getByText('Latest refusals').waitFor();
  await snap('overview');
  await pipelinePages(page, snap);
  await keyPages(page, snap);
  await journalPages(page, snap);
  await open(page, 'Store & forward');
  await page.getByText('No targets yet').waitFor();
  await snap('store-forward');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByRole('link', { name: 'Übersicht' }).click();
  await snap('overview-german');
}

async function pipelinePages(page: Page, snap: Snap): Promise<void> {
  await open(page, 'Pipelines');
  await page.getByRole('button', { name: 'Stop Orders' }).waitFor();
  await snap('pipelines');
  await page.getByRole('button', { name: 'Stop Orders' }).click();
  await page.getByRole('dialog').getByText('MES line 7').waitFor();
  await snap('pipeline-stop');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: /^Orders/ }).click();
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('status').filter({ hasText: 'check found' }).waitFor();
  await snap('pipeline');
  await open(page, 'Pipelines');
  await page.getByRole('link', { name: 'Projects' }).click();
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .waitFor();
  await snap('projects');
  await page.getByRole('link', { name: 'New project' }).click();
  await snap('project-new');
}

async function keyPages(page: Page, snap: Snap): Promise<void> {
  await open(page, 'Settings');
  await page.getByRole('row').nth(1).waitFor();
  await snap('keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Consumer').fill('Labeller L2');
  await page.getByLabel(/Run named queries/).check();
  await snap('key-new');
  await page.getByLabel('Consumer').fill(`Labeller ${Date.now() % 100_000}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByTestId('key-value').waitFor();
  await snap('key-shown');
  await page.getByLabel(/I have stored the key/).check();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Actions for MES line 7' }).click();
  await snap('key-menu');
  await page.getByRole('menuitem', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').getByText('/api/v1/orders', { exact: true }).waitFor();
  await snap('key-revoke');
  await page.keyboard.press('Escape');
}

async function journalPages(page: Page, snap: Snap): Promise<void> {
  await open(page, 'Journal');
  await page.getByRole('row').nth(3).waitFor();
  await snap('journal');
  await page
    .getByRole('row')
    .filter({ hasText: 'scope_missing' })
    .or(page.getByRole('row').filter({ hasText: 'not_found' }))
    .first()
    .getByRole('button')
    .click();
  await page.getByText('The way of the request').waitFor();
  await snap('journal-why');
}

await main();
