import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright';
import { expectAccessible } from './accessible.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';
import { buildPlant, type Plant } from './pictures/plant.ts';

/** Ctrl+K: everything that has a page, by its name. */
const appliance = applianceOfFile();
let plant: Plant;
let page: Page;
let watch: Watch;

beforeAll(async () => {
  plant = await buildPlant(appliance.service);
  ({ page, watch } = await appliance.window('Administrator', { reducedMotion: 'reduce' }));
}, 120_000);

afterAll(async () => {
  expect(watch).toEqual(CLEAN);
  await plant?.stop();
});

const dialog = () => page.getByRole('dialog', { name: 'Search' });
const option = (name: RegExp | string) => dialog().getByRole('option', { name });

async function search(text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await dialog().getByRole('combobox').fill(text);
}

test('Ctrl+K lists the pages, and Enter opens the chosen one', async () => {
  await search('');
  await option('Overview').waitFor();
  await expectAccessible(page, 'search');
  await dialog().getByRole('combobox').fill('gateway');
  await expect.poll(() => dialog().getByRole('option', { selected: true }).innerText()).toContain('Gateway');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Gateway', level: 1 }).waitFor();
});

test.each([
  ['Look an order up', /^Look an order up/, /\/pipelines\/.+\/order$/],
  ['/api/v1/line/orders', /^POST \/api\/v1\/line\/orders/, /\/routes\?route=/],
  ['Line display', /^Line display/, /\/settings\/api-keys\?.*key=/],
  ['filler speed', /line1\/filler\/speed/, /\/data\/tags\?.*tag=/],
  ['insert-order', /^insert-order/, /\/data\/queries\?.*open=insert-order/],
])('%s is found and opened', async (text, name, address) => {
  await search(text);
  await option(name).first().click();
  await page.waitForURL(address);
});

test('a key is found by its ID, and its page shows it', async () => {
  const { items } = await appliance.service.admin.ok<{ items: { id: string; name: string }[] }>(
    'GET',
    '/projects/filling-line/keys',
  );
  const key = items.find(({ name }) => name === 'Labeller L2');
  await search(`slc_${key?.id}`);
  await option(/^Labeller L2/).click();
  await page.getByRole('button', { name: /^Labeller L2/ }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
});

test('a request ID opens the journal at its row', async () => {
  const refused = await fetch(`http://127.0.0.1:${appliance.service.gatewayPort}/api/v1/line/orders`, {
    method: 'POST',
    body: '{}',
  });
  const id = refused.headers.get('x-request-id') ?? '';
  await search(id);
  await option(new RegExp(id)).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Why was this refused?' }).getByText('Request steps').waitFor();
});

test('the search names the number of projects that it skips above 50', async () => {
  const { admin } = appliance.service;
  const { items } = await admin.ok<{ items: unknown[] }>('GET', '/projects');
  for (let n = items.length; n < 52; n++) await admin.ok('POST', '/projects', { id: `many-${n}`, name: `Many ${n}` });
  await page.reload();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await search('speed');
  await dialog().getByText('Tags, named queries and connections of 2 further projects are not searched.').waitFor();
  await page.keyboard.press('Escape');
});

test('a Viewer does not find keys, settings and the journal', async () => {
  const viewer = await appliance.window('Viewer', { reducedMotion: 'reduce' });
  await viewer.page.getByRole('button', { name: 'Search (Ctrl+K)' }).click();
  const found = viewer.page.getByRole('dialog', { name: 'Search' });
  await found.getByRole('combobox').fill('line');
  await found
    .getByRole('option', { name: /api\/v1\/line\/orders/ })
    .first()
    .waitFor();
  expect(await found.getByRole('group', { name: 'API keys' }).count()).toBe(0);
  await found.getByRole('combobox').fill('journal');
  await expect.poll(() => found.getByRole('group', { name: 'Pages' }).count()).toBe(0);
  expect(viewer.watch).toEqual(CLEAN);
  await viewer.close();
});
