import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { startService } from '#test/service.ts';
import { startAppliance, type Appliance } from './appliance.ts';
import { openBrowser, openPage, type TestBrowser } from './chromium.ts';
import { buildPlant, type Plant } from './pictures/plant.ts';
import { shrinkForReadme } from './pictures/readme.ts';
import { VISITS, type Snap } from './pictures/visits.ts';
import { ADMINISTRATOR } from './steps.ts';

/**
 * Takes a picture of every page at three sizes, light and dark, into screenshots/ (not in git), so that a person can
 * look at them: `npm run screenshots`. With words behind it, only the visits and looks of these names:
 * `npm run screenshots -- journal 1280-light`. `readme` makes the README's small copies of what is there already.
 */
const FOLDER = fileURLToPath(new URL('../../screenshots/', import.meta.url));

const LOOKS = [
  { name: '640-light', viewport: { width: 640, height: 400 }, colorScheme: 'light' },
  { name: '640-dark', viewport: { width: 640, height: 400 }, colorScheme: 'dark' },
  { name: '1280-light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: '1280-dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: '1920-light', viewport: { width: 1920, height: 1080 }, colorScheme: 'light' },
  { name: '1920-dark', viewport: { width: 1920, height: 1080 }, colorScheme: 'dark' },
] as const;
type Look = (typeof LOOKS)[number];

const wanted = process.argv.slice(2);
const chosen = (names: readonly string[]) => {
  const some = names.filter((name) => wanted.includes(name));
  return some.length === 0 ? names : some;
};
const looks = LOOKS.filter(({ name }) => chosen(LOOKS.map((look) => look.name)).includes(name));
const visits = chosen(['setup', ...Object.keys(VISITS)]);

async function main(): Promise<void> {
  if (wanted.includes('readme')) return inBrowser((browser) => shrinkForReadme(browser, FOLDER));
  mkdirSync(FOLDER, { recursive: true });
  if (visits.includes('setup')) await inBrowser(setUpPictures);
  const appliance = await startAppliance();
  const plant = await buildPlant(appliance.service);
  try {
    for (const look of looks) await pagePictures(appliance, plant, look);
  } finally {
    await plant.stop();
    await appliance.stop();
  }
  console.log(`pictures in ${FOLDER}`);
}

async function inBrowser(act: (browser: TestBrowser) => Promise<void>): Promise<void> {
  const browser = await openBrowser();
  await act(browser).finally(() => browser.close());
}

const contextOf = ({ viewport, colorScheme }: Look) => ({ viewport, colorScheme, reducedMotion: 'reduce' as const });

function snapper(page: Page, look: Look): Snap {
  return async (name) => {
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(FOLDER, `${name}-${look.name}.png`), animations: 'disabled' });
  };
}

/** A new service for each look, because the set-up can be done only once. */
async function setUpPictures(browser: TestBrowser): Promise<void> {
  for (const look of looks) {
    await using service = await startService();
    const { page, close } = await openPage(browser, service.ready.ui, contextOf(look));
    const snap = snapper(page, look);
    await page.goto(service.ready.ui);
    await page.getByLabel('Set-up token').waitFor();
    await snap('setup-1');
    await page.getByRole('button', { name: 'Create Administrator' }).click();
    await snap('setup-1-faults');
    await page.getByLabel('Set-up token').fill((await readFile(service.ready.setupTokenFile ?? '', 'utf8')).trim());
    await page.getByLabel('Your name').fill(ADMINISTRATOR.name);
    await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
    await page.getByRole('button', { name: 'Create Administrator' }).click();
    await page
      .getByRole('region', { name: 'Live test' })
      .getByText(/answers|is free/)
      .first()
      .waitFor();
    await snap('setup-2');
    await page.getByRole('button', { name: 'Next: project' }).click();
    await page.getByRole('button', { name: 'Next: first call' }).waitFor();
    await snap('setup-3');
    await page.getByRole('button', { name: 'Next: first call' }).click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    await snap('setup-4');
    await page.getByRole('button', { name: 'Finish without a call' }).click();
    await page.getByRole('button', { name: /^Account/ }).waitFor();
    await snap('overview-first');
    await close();
  }
}

async function pagePictures(appliance: Appliance, plant: Plant, look: Look): Promise<void> {
  const { ui } = appliance.service.ready;
  const { page, watch, close } = await appliance.window('Administrator', contextOf(look));
  const snap = snapper(page, look);
  const where = { page, snap, rotation: plant.rotation, go: async (path: string) => void (await page.goto(ui + path)) };
  for (const name of visits) {
    await VISITS[name]?.(where).catch((error: unknown) => {
      process.exitCode = 1;
      console.error(`${look.name}, ${name}: ${String(error)}`);
      return snap(`failed-${name}`);
    });
  }
  const seen = [...watch.violations, ...watch.foreignRequests, ...watch.pageErrors];
  if (seen.length > 0) throw new Error(`${look.name}: ${seen.join('; ')}`);
  await close();
}

await main();
