import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '#test/until.ts';
import { expectAccessible } from './accessible.ts';
import { type Appliance, startAppliance } from './appliance.ts';
import type { Watch } from './chromium.ts';
import { outOfSight } from './in-sight.ts';

/** The list of pipelines: what it shows at each width, and the menu of its rows. */
const STORY_MS_MAX = 120_000;
const LONG = '/api/v1/lines/:line/stations/:station/orders/:order/positions/:position/weights';
let appliance: Appliance;
let page: Page;
let watch: Watch;

const admin = () => appliance.service.admin;
const route = (id: string, urlPattern: string, method = 'GET') => ({
  id,
  name: `Does ${id}`,
  nodes: [
    {
      id: 'in',
      kind: 'rest-api',
      position: { x: 0, y: 0 },
      settings: { mode: 'ingress', method, urlPattern, authType: 'none' },
    },
    { id: 'out', kind: 'http-response', position: { x: 240, y: 0 }, settings: { body: '1' } },
  ],
  wires: [{ from: 'in', port: 'out', to: 'out' }],
});
const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name }) });
const openMenu = (name: string) => page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
const choose = (name: string) => page.getByRole('menuitem', { name }).click();

beforeAll(async () => {
  appliance = await startAppliance();
  await admin().ok('POST', '/projects/sample');
  await admin().ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  for (const [id, path] of [
    ['weights', LONG],
    ['weights-latest', `${LONG}/latest`],
  ] as const) {
    await admin().ok('POST', '/projects/line-7/pipelines', route(id, path));
    await admin().ok('POST', `/projects/line-7/pipelines/${id}/start`, {});
  }
  ({ page, watch } = await appliance.window('Administrator'));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pipelines' }).click();
}, STORY_MS_MAX);
afterAll(() => appliance?.stop());
afterEach(() => expect(watch).toEqual({ violations: [], foreignRequests: [], pageErrors: [] }));

test(
  'pipelines are listed under their project, with calls, errors and last call',
  { timeout: STORY_MS_MAX },
  async () => {
    const path = LONG.replaceAll(/:(\w+)/g, '1');
    for (let n = 0; n < 3; n++)
      expect((await fetch(`http://127.0.0.1:${appliance.service.gatewayPort}${path}`)).status).toBe(200);
    await page.getByRole('row', { name: 'Line 7 line-7 2 of 2 running' }).waitFor();
    await row('Does weights weights')
      .getByText(/just now|s ago/)
      .waitFor();
    await row('Does weights weights').getByText('0 %').waitFor();
    await expectAccessible(page, 'pipelines');
  },
);

/** Texts of the table that lost a part, by their column. */
const cutColumns = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('.virtual-table tbody td *')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow === 'hidden')
      .map((one) => [...(one.closest('tr')?.children ?? [])].indexOf(one.closest('td') ?? one)),
  );

test.each([
  [1024, true],
  [1280, true],
  [1920, true],
  [2560, false],
])(
  'at %i px nothing is cut off next to free space, and a long route shows both ends',
  { timeout: STORY_MS_MAX },
  async (width, cuts) => {
    await page.setViewportSize({ width, height: 800 });
    const ROUTE = 2;
    await expect.poll(async () => (await cutColumns()).every((column) => column === ROUTE)).toBe(true);
    await expect.poll(async () => (await cutColumns()).length > 0).toBe(cuts);
    const sideways = () => page.locator('.virtual-table').evaluate((one) => one.scrollWidth - one.clientWidth);
    await expect.poll(sideways).toBe(0);
    for (const end of ['itions/:position/weights', 'n/weights/latest']) {
      const shown = page.locator('.middle-cut > :last-child').filter({ hasText: end.slice(-12) });
      const box = await shown.first().boundingBox();
      const cell = await shown.first().locator('xpath=ancestor::td').boundingBox();
      expect(box && cell && box.x + box.width <= cell.x + cell.width).toBe(true);
    }
    const state = await page.getByRole('columnheader', { name: 'State' }).boundingBox();
    expect(state?.width).toBe(120);
  },
);

test('a pipeline is duplicated under a name in another script, and deleted', { timeout: STORY_MS_MAX }, async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openMenu('Does weights');
  await choose('Duplicate pipeline');
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('ID').inputValue()).toBe('does-weights-copy');
  await dialog.getByLabel('Name', { exact: true }).fill('充填ライン');
  expect(await dialog.getByLabel('ID').inputValue()).toBe('pipeline-3');
  await dialog.getByLabel('ID').fill('weights');
  await dialog.getByRole('button', { name: 'Create copy' }).click();
  await dialog.getByText('This ID is already in use.').waitFor();
  await dialog.getByLabel('ID').fill('filling');
  await dialog.getByRole('button', { name: 'Create copy' }).click();
  await page
    .getByRole('dialog', { name: '充填ライン was created' })
    .getByRole('button', { name: 'Close' })
    .last()
    .click();
  const copy = await admin().ok<{ state: string; nodes: unknown[] }>('GET', '/projects/line-7/pipelines/filling');
  expect(copy).toMatchObject({ state: 'stopped', nodes: { length: 2 } });

  await openMenu('充填ライン');
  await choose('Delete pipeline');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Delete pipeline' }).click();
  await row('充填ライン').waitFor({ state: 'detached' });
});

test('a running pipeline is exported, and cannot be deleted', { timeout: STORY_MS_MAX }, async () => {
  await openMenu('Does weights');
  expect(await page.getByRole('menuitem', { name: 'Delete pipeline (stop it first)' }).isDisabled()).toBe(true);
  const [file] = await Promise.all([page.waitForEvent('download'), choose('Export as file')]);
  expect(file.suggestedFilename()).toBe('weights.sluice.json');
});

test('a draft newer than the running revision is started from the menu', { timeout: STORY_MS_MAX }, async () => {
  await admin().ok('PUT', '/projects/line-7/pipelines/weights', { ...route('weights', LONG), name: 'Weighs' });
  await row('Weighs').getByText('draft 2').waitFor();
  await openMenu('Weighs');
  await choose('Start draft 2');
  await until('revision 2 runs', async () => {
    const { runningRevision } = await admin().ok<{ runningRevision: number }>(
      'GET',
      '/projects/line-7/pipelines/weights',
    );
    return runningRevision === 2;
  });
});

test('a Viewer can only open and export', { timeout: STORY_MS_MAX }, async () => {
  const viewer = await appliance.window('Viewer');
  await viewer.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pipelines' }).click();
  await viewer.page.getByRole('button', { name: 'Actions for Weighs' }).click();
  await viewer.page.getByRole('menuitem').first().waitFor();
  expect(await viewer.page.getByRole('menuitem').allInnerTexts()).toEqual(['Open pipeline', 'Export as file']);
  await viewer.close();
});

test('Create pipeline is in sight at 1280 x 800, over the last templates too', { timeout: STORY_MS_MAX }, async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('link', { name: 'New pipeline' }).click();
  await page.getByRole('radio').last().waitFor();
  const bottom = async () => {
    const box = await page.getByRole('button', { name: 'Create pipeline' }).boundingBox();
    return (box?.y ?? Infinity) + (box?.height ?? 0);
  };
  expect(await bottom()).toBeLessThanOrEqual(800);
  await page.getByRole('radio').last().check();
  expect(await bottom()).toBeLessThanOrEqual(800);
  expect(await outOfSight(page, 'main')).toEqual([]);
  await page.getByRole('link', { name: 'Cancel' }).click();
});

test.each(['Взвешивание', 'الوزن'])('a new pipeline may be named %s', { timeout: STORY_MS_MAX }, async (name) => {
  await page.getByRole('link', { name: 'New pipeline' }).click();
  await page.getByLabel('Project').first().selectOption('line-7');
  await page.getByLabel('Name', { exact: true }).fill(name);
  const id = await page.getByLabel('ID', { exact: true }).inputValue();
  expect(id).toMatch(/^pipeline-\d$/);
  await page.getByRole('button', { name: 'Create pipeline' }).click();
  await page.getByRole('heading', { name }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pipelines' }).click();
  await row(name).getByText(id, { exact: true }).waitFor();
});
