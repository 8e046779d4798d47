import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { applianceOfFile } from './file-appliance.ts';

/** Keyboard users never lose their position on the page. */
const appliance = applianceOfFile();
let page: Page;

beforeAll(async () => {
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line', name: 'Filling line' });
  await admin.ok('POST', '/projects/line/keys', { name: 'MES line 7', scopes: [] });
  ({ page } = await appliance.window('Administrator'));
});

const dialog = () => page.getByRole('dialog');
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Waits until the element has the focus. */
const focused = (name: string) =>
  expect
    .poll(() => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent))
    .toBe(name);

/** The label of the focused field. */
const focusedLabel = () =>
  page.evaluate(() => {
    const { activeElement: field } = document;
    return field instanceof HTMLInputElement ? (field.labels?.[0]?.textContent ?? '') : null;
  });

test('a dialog returns the focus to the button that opened it, as do a chain of dialogs and a menu', async () => {
  await page.goto(`${appliance.service.ready.ui}/settings/api-keys?project=line`);
  await button('Create key').press('Enter');
  await dialog().getByLabel('Caller').waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await focused('Create key');

  await page.keyboard.press('Enter');
  await dialog().getByLabel('Caller').fill('Labeller L3');
  await page.keyboard.press('Enter');
  await dialog()
    .getByLabel(/I have stored the key/)
    .check();
  await dialog().getByRole('button', { name: 'Close' }).press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await focused('Create key');

  await button('Actions for MES line 7').press('Enter');
  await page.getByRole('menuitem', { name: 'Revoke key' }).press('Enter');
  await dialog().waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await focused('Actions for MES line 7');
});

test('a button has its focus back after its response arrived, and the next Tab stays in the dialog', async () => {
  await page.goto(`${appliance.service.ready.ui}/settings/people`);
  await button('Create role').press('Enter');
  await dialog().getByLabel('Name').fill('Shift lead');
  // A refusal without a field.
  await page.route('**/roles', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await dialog().getByRole('button', { name: 'Create role' }).press('Enter');
  await dialog().getByText('The role was not saved.').waitFor();
  await focused('Create role');
  await page.unroute('**/roles');
  await page.keyboard.press('Tab');
  await expect.poll(() => dialog().evaluate((element) => element.contains(document.activeElement))).toBe(true);
});

test('the first Tab offers a link past bar and rail, and a page opened by a button focuses its heading', async () => {
  await page.goto(`${appliance.service.ready.ui}/pipelines/new`);
  await button('Create pipeline').waitFor();
  await page.keyboard.press('Tab');
  await focused('Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true);

  await button('Create pipeline').press('Enter');
  await page.getByRole('application').waitFor();
  await focused('Orders');
  await page.getByRole('link', { name: 'Pipelines', exact: true }).last().press('Enter');
  await focused('Pipelines');
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('h1');
});

test('a refused form focuses its first invalid field every time', async () => {
  await page.goto(`${appliance.service.ready.ui}/settings/people`);
  await button('Create role').click();
  const create = dialog().getByRole('button', { name: 'Create role' });
  await dialog().getByLabel('Name').fill(' ');
  for (let time = 0; time < 2; time++) {
    await create.press('Enter');
    await expect.poll(focusedLabel).toBe('Name');
  }
  // By the admin API.
  await dialog().getByLabel('Name').fill('Viewer');
  await create.press('Enter');
  await expect.poll(() => dialog().getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(focusedLabel).toBe('Name');
  await expect.poll(() => dialog().getByText('The role was not saved').count()).toBe(0);
  await page.keyboard.press('Escape');

  // By the admin API, of code, which is no input.
  await page.goto(`${appliance.service.ready.ui}/data/scripts?project=line&new=yes`);
  await page.getByLabel('Name', { exact: true }).fill('scale');
  await page.getByRole('textbox', { name: 'Code' }).fill('');
  await button('Save script').press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Code');
  await page.getByLabel('Name', { exact: true }).fill('Scale it');
  await page.keyboard.press('Enter');
  await expect.poll(focusedLabel).toBe('Name');
});
