import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAppliance, PEOPLE, type Appliance } from './appliance.ts';
import { logIn, logOut } from './steps.ts';

/** A session that ends in the middle of an edit: nothing typed is lost, and nobody else gets to see it. */
const STORY_MS_MAX = 120_000;
const { Administrator: ADMINISTRATOR, Engineer: ENGINEER } = PEOPLE;

let appliance: Appliance;
let page: Page;

beforeAll(async () => {
  appliance = await startAppliance();
  await appliance.service.admin.ok('POST', '/projects', { id: 'line', name: 'Filling line' });
  ({ page } = await appliance.window('Engineer'));
}, STORY_MS_MAX);

afterAll(async () => {
  await appliance?.stop();
});

const over = () => page.getByText('Your session is over');
const script = () => page.getByLabel('Name', { exact: true });

test(
  'a script that is being written is there again after the log-in, for its writer alone',
  async () => {
    await page.goto(`${appliance.service.ready.ui}/data/scripts?project=line`);
    await page
      .getByRole('button', { name: /script/i })
      .first()
      .click();
    await script().fill('scale');
    await page.getByLabel('Description').fill('Litres to bottles');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save script' }).click();
    await over().waitFor();

    await logIn(page, ADMINISTRATOR);
    await script().waitFor();
    expect(await script().inputValue()).toBe('');
    await logOut(page, ADMINISTRATOR);
    expect(await over().count()).toBe(0);

    await logIn(page, ENGINEER);
    await page.getByLabel('Description').waitFor();
    expect(await script().inputValue()).toBe('scale');
    expect(await page.getByLabel('Description').inputValue()).toBe('Litres to bottles');
    await page.getByRole('button', { name: 'Save script' }).click();
    await page.getByText('scale', { exact: false }).first().waitFor();
    const saved = await appliance.service.admin.ok<{ items: { id: string }[] }>('GET', '/projects/line/scripts');
    expect(saved.items.map(({ id }) => id)).toEqual(['scale']);
  },
  STORY_MS_MAX,
);
