import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildPlant, type Plant } from './pictures/plant.ts';
import { applianceOfFile } from './file-appliance.ts';
import { outOfSight as outOfSightOf, sideways as sidewaysOf } from './in-sight.ts';

/**
 * An HMI of 1024 × 768: every action is visible, also with the longer German texts, and no name is squeezed into a
 * column of letters. A screen of 2560 × 1440: related parts stay together.
 */
const PANEL = { width: 1024, height: 768 };
const DESK = { width: 1280, height: 800 };
const WIDE = { width: 2560, height: 1440 };
const LINE_PX = 24;
const FIELD_PX_MAX = 640;

const appliance = applianceOfFile();
let plant: Plant;
let page: Page;

// Many pages in one test.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

beforeAll(async () => {
  plant = await buildPlant(appliance.service);
  const { admin } = appliance.service;
  const orders = '/projects/filling-line/pipelines/orders';
  const { id, name, runAs, grants, nodes, wires } = await admin.ok<Record<string, unknown>>('GET', orders);
  await admin.ok('PUT', orders, { id, name: `${String(name)} of line 2`, runAs, grants, nodes, wires });
  ({ page } = await appliance.window('Administrator', { viewport: PANEL, reducedMotion: 'reduce' }));
  await page.evaluate(() => localStorage.setItem('sluice.language', 'de'));
});

afterAll(async () => {
  await plant?.stop();
});

const outOfSight = (place: string) => () => outOfSightOf(page, place);
const sideways = () => sidewaysOf(page);
const go = (path: string) => page.goto(appliance.service.ready.ui + path);

test.each([
  ['/', 'Übersicht'],
  ['/pipelines', 'Pipelines'],
  ['/routes', 'Routen'],
  ['/store-forward', 'Store & Forward'],
  ['/journal', 'Journal'],
  ['/settings/api-keys?project=filling-line', 'API-Schlüssel'],
  ['/settings/people', 'Benutzer und Rollen'],
  ['/settings/connections', 'Verbindungen'],
])('%s fits a touch panel', async (path, title) => {
  await go(path);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await page.getByRole('row').nth(1).waitFor();
  await expect.poll(outOfSight('main')).toEqual([]);
  await expect.poll(sideways).toEqual([]);
});

test('names of routes and targets fit into one or two lines', async () => {
  for (const [path, names] of [
    ['/', '.panel .path'],
    ['/store-forward', '.targets td:nth-child(2) > *'],
  ] as const) {
    await go(path);
    await page.locator(names).first().waitFor();
    const heights = await page
      .locator(names)
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.max(...heights), path).toBeLessThanOrEqual(2 * LINE_PX);
  }
});

test('the editor shows the running revision and the draft next to its buttons, not under them', async () => {
  await go('/pipelines/filling-line/orders');
  await page.getByRole('application').waitFor();
  await page.getByRole('button', { name: 'Entwurf 2 starten' }).waitFor();
  for (const place of ['.editor-bar', '.editor-dock > header']) await expect.poll(outOfSight(place)).toEqual([]);
  const cut = await page
    .locator('.version b')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  expect(cut).toEqual([]);
});

test('every action on a revision is visible below the canvas', async () => {
  await go('/pipelines/filling-line/orders');
  await page.getByRole('tab', { name: 'Änderungen' }).click();
  await page.getByRole('button', { name: 'Revision 1 wiederherstellen' }).waitFor();
  await expect.poll(outOfSight('.editor-dock table')).toEqual([]);
});

test('the list and the editor show why a running pipeline starts no runs, next to everything else', async () => {
  const { admin } = appliance.service;
  const pipelines = '/projects/filling-line/pipelines';
  await admin.ok('POST', pipelines, {
    id: 'lost',
    name: 'Watch a tag that is not there',
    runAs: 'caller',
    grants: ['tag:read'],
    nodes: [
      {
        id: 'on',
        kind: 'tag-change',
        position: { x: 0, y: 0 },
        settings: { tags: ['line1/press/hydraulics/level'] },
      },
      { id: 'log', kind: 'log', position: { x: 280, y: 0 }, settings: { message: 'changed' } },
    ],
    wires: [{ from: 'on', port: 'out', to: 'log' }],
  });
  await admin.ok('POST', `${pipelines}/lost/start`, {});
  await go('/pipelines');
  const state = page.getByText('Auslöser gestört');
  await state.waitFor();
  const cutPx = () =>
    state.evaluate(
      (chip) => chip.getBoundingClientRect().right - (chip.closest('td')?.getBoundingClientRect().right ?? 0),
    );
  expect(await cutPx()).toBeLessThanOrEqual(0);
  for (const viewport of [PANEL, DESK]) {
    await page.setViewportSize(viewport);
    await go('/pipelines/filling-line/lost');
    const reason = page.locator('.version small').first();
    await expect.poll(() => reason.innerText()).toContain('Es gibt kein Tag "line1/press/hydraulics/level"');
    await expect.poll(outOfSight('.editor-bar')).toEqual([]);
    await expect.poll(() => reason.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
    const [running, drawn] = await Promise.all([reason.boundingBox(), page.locator('.version').last().boundingBox()]);
    expect((running?.x ?? 0) + (running?.width ?? 0)).toBeLessThanOrEqual(drawn?.x ?? 0);
  }
});

test('on a wide screen fields can be read at a glance', async () => {
  await page.setViewportSize(WIDE);
  await go('/settings/gateway');
  const fields = page.locator('.settings-form :is(input, textarea, .mantine-InputWrapper-description)');
  await fields.first().waitFor();
  const widths = await fields.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  expect(Math.max(...widths)).toBeLessThanOrEqual(FIELD_PX_MAX);
});
