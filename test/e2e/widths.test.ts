import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';
import { outOfSight, sideways } from './in-sight.ts';
import { buildPlant, type Plant } from './pictures/plant.ts';

/** Every page from 640 px, which is a panel of 1280 px at a zoom of 200 %, to 2560 px, in both languages. */
const ZOOMED = { width: 640, height: 400 };
const WIDTHS = [ZOOMED, { width: 1280, height: 800 }, { width: 2560, height: 1440 }];

const appliance = applianceOfFile();
let plant: Plant;
let page: Page;
let watch: Watch;

// Many pages in one test.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 });

beforeAll(async () => {
  plant = await buildPlant(appliance.service);
  ({ page, watch } = await appliance.window('Administrator', { viewport: ZOOMED, reducedMotion: 'reduce' }));
});

afterAll(async () => {
  await plant?.stop();
});

const PAGES = [
  '/',
  '/pipelines',
  '/pipelines/new',
  '/pipelines/filling-line/orders',
  '/projects',
  '/projects/new',
  '/routes',
  '/store-forward',
  '/journal',
  '/alarms',
  '/data/tags?project=filling-line',
  '/data/trend?project=filling-line&tags=line1/filler/speed',
  '/data/queries?project=filling-line',
  '/data/variables?project=filling-line',
  '/data/files?project=filling-line',
  '/data/scripts?project=filling-line',
  '/settings/api-keys?project=filling-line',
  '/settings/people',
  '/settings/service-tokens',
  '/settings/gateway',
  '/settings/connections',
  '/settings/plugins',
  '/settings/backup',
  '/help',
] as const;

async function visit(path: string, language: string): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('sluice.language', chosen), language);
  await page.goto(appliance.service.ready.ui + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('main').locator('.panel, [role=application]').first().waitFor();
}

/** All of the page, screen by screen. */
async function expectInSight(): Promise<void> {
  await expect.poll(() => sideways(page)).toEqual([]);
  const screens = await page.evaluate(() => {
    const main = document.querySelector('main');
    return main === null ? 0 : Math.ceil(main.scrollHeight / main.clientHeight);
  });
  for (let screen = 0; screen < Math.min(screens, 12); screen++) {
    await page.evaluate((at) => {
      const main = document.querySelector('main');
      main?.scrollTo(0, at * main.clientHeight);
    }, screen);
    await expect.poll(() => outOfSight(page, 'main'), { message: `screen ${screen + 1}` }).toEqual([]);
  }
  await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 0));
}

test.each(PAGES)('%s is usable at every width in both languages', async (path) => {
  for (const language of ['de', 'en']) {
    await page.setViewportSize(ZOOMED);
    await visit(path, language);
    await expectInSight();
    for (const viewport of WIDTHS) {
      await page.setViewportSize(viewport);
      await expectAccessible(page, `${path} in ${language} at ${viewport.width}`);
    }
  }
});

test('at 640 px the navigation is a drawer, and the other items of the bar are in one menu', async () => {
  await page.setViewportSize(ZOOMED);
  await visit('/', 'en');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await expect.poll(() => navigation.count()).toBe(0);
  await page.getByRole('button', { name: 'Open menu' }).press('Enter');
  await navigation.getByRole('link', { name: 'Overview' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Overview');
  await expectAccessible(page, 'the drawer');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Open menu');
  await page.keyboard.press('Enter');
  await navigation.getByRole('link', { name: 'Routes' }).click();
  await page.getByRole('heading', { name: 'Routes', level: 1 }).waitFor();
  await navigation.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /^Account/ }).click();
  for (const name of ['Log out', 'Deutsch', 'Light or dark']) await page.getByRole('menuitem', { name }).waitFor();
  await page.keyboard.press('Escape');
});

test('at 640 px a row is a card in which each value is labelled with its column', async () => {
  await page.setViewportSize(ZOOMED);
  await visit('/settings/people', 'en');
  const row = page.getByRole('row').filter({ hasText: 'O. Perez' });
  await row.waitFor();
  const label = (cell: number) =>
    row
      .getByRole('cell')
      .nth(cell)
      .evaluate((one) => getComputedStyle(one, '::before').content);
  expect(await label(1)).toBe('"Roles"');
  expect(await label(2)).toBe('"Last log-in"');
  await visit('/pipelines', 'en');
  const state = page.getByRole('row').filter({ hasText: 'Take orders' }).getByRole('cell').nth(1);
  await state.waitFor();
  expect(await state.evaluate((one) => getComputedStyle(one, '::before').content)).toBe('"State"');
  // A row with one line is no higher than that.
  const project = page.locator('tr.folder').first();
  expect((await project.boundingBox())?.height).toBeLessThanOrEqual(72);
  const cardBelow = page.getByRole('row').filter({ hasText: 'Take orders' });
  expect((await cardBelow.boundingBox())?.height).toBe(128);
});

test('at 640 px the editor shows canvas, settings or dock, and opens the one that an action needs', async () => {
  await page.setViewportSize(ZOOMED);
  await visit('/pipelines/filling-line/orders', 'en');
  const pane = (name: string) => page.getByRole('tablist', { name: 'Parts of the editor' }).getByRole('tab', { name });
  const canvas = page.getByRole('application');
  const settings = page.getByRole('complementary', { name: 'Settings' });
  await canvas.waitFor();
  expect((await canvas.boundingBox())?.height).toBeGreaterThanOrEqual(280);
  expect(await settings.count()).toBe(0);
  await page.locator('.react-flow__node').first().click();
  await pane('Settings').click();
  await settings.getByLabel('Name', { exact: true }).waitFor();
  expect(
    await page
      .locator('.react-flow__node')
      .first()
      .evaluate((one) => one.checkVisibility()),
  ).toBe(false);
  await expectAccessible(page, 'settings in the narrow editor');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByRole('button', { name: 'Run test' }).waitFor();
  await expect.poll(() => pane('Test and runs').getAttribute('aria-selected')).toBe('true');
  await expectAccessible(page, 'test bench in the narrow editor');
  await pane('Canvas').click();
  await canvas.waitFor();
  expect(watch).toEqual(CLEAN);
});
