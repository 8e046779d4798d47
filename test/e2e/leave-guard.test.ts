import type { Page } from 'playwright';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';
import { open } from './steps.ts';

/**
 * Navigation with the browser (Back, Forward, reload) is confirmed while there is unsaved input, and the history is the
 * same as without the question. Each test begins on Overview, opened from Pipelines.
 */
const BASE_URL = 'http://192.0.2.7:8080';

const appliance = applianceOfFile();
let page: Page;
let watch: Watch;
/** The questions of the browser itself. */
let unloads: string[];

beforeAll(async () => {
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.ok('POST', '/projects/line-7/queries', { id: 'orders', connection: 'embedded', sql: 'SELECT 1' });
  ({ page, watch } = await appliance.window('Administrator'));
  page.on('dialog', (asked) => {
    unloads.push(asked.type());
    void asked.dismiss();
  });
});
beforeEach(async () => {
  unloads = [];
  await open(page, 'Pipelines');
  await isShown('Pipelines');
  await open(page, 'Overview');
  await isShown('Overview');
});
afterEach(() => expect(watch).toEqual(CLEAN));

const isShown = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const dialog = (name: string) => page.getByRole('dialog', { name });
const question = () => dialog('Leave without saving?');
const keyQuestion = () => dialog('Leave without the key?');
const answer = (text: string) => page.getByRole('button', { name: text, exact: true }).click();
const path = () => new URL(page.url()).pathname;
/** Like F5: `page.reload` waits for a load that the user may refuse. */
const loadAnew = () => page.evaluate(() => void setTimeout(() => location.reload()));

async function expectNoQuestion(): Promise<void> {
  expect([await page.getByRole('dialog').count(), unloads]).toEqual([0, []]);
}

async function createKey(name: string): Promise<string> {
  await open(page, 'Settings');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const form = dialog('Create API key');
  await form.getByLabel('Caller').fill(name);
  await form.getByRole('button', { name: 'Create key' }).click();
  return shownKey(name);
}

const shownKey = (name: string) => dialog(`Key for ${name}`).getByTestId('key-value').innerText();
const tick = (name: string) =>
  dialog(`Key for ${name}`)
    .getByLabel(/I have stored the key/)
    .check();

async function openGateway(): Promise<void> {
  await open(page, 'Settings');
  await page.getByRole('link', { name: 'Gateway', exact: true }).click();
  await page.getByLabel('Base URL').waitFor();
}

const baseUrl = () => page.getByLabel('Base URL').inputValue();
const days = () => page.getByLabel('Retention');

test('a key that is shown once stays visible until the user confirms', async () => {
  const value = await createKey('MES');
  await page.goBack();
  await keyQuestion().getByText('The key stays valid').waitFor();
  await expectAccessible(page, 'the question before a key is left');
  await page.keyboard.press('Escape');
  await keyQuestion().waitFor({ state: 'detached' });
  await expect.poll(path).toBe('/settings/api-keys');
  expect(await shownKey('MES')).toBe(value);

  await loadAnew();
  await expect.poll(() => unloads).toEqual(['beforeunload']);
  expect(await shownKey('MES')).toBe(value);

  await page.goBack();
  await answer('Back to the key');
  await expect.poll(path).toBe('/settings/api-keys');
  await page.goBack();
  await answer('Leave without the key');
  await isShown('Overview');
  expect(path()).toBe('/');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.goBack();
  await isShown('Pipelines');
});

test('a key whose box is ticked is left without a confirmation', async () => {
  await createKey('Labeller');
  await tick('Labeller');
  await page.goBack();
  await isShown('Overview');
  await expectNoQuestion();

  await createKey('Packer');
  await tick('Packer');
  await page.reload();
  await isShown('API keys');
  await expectNoQuestion();
});

test('the second key of a rotation is kept in the same way', async () => {
  await createKey('Scales');
  await tick('Scales');
  await answer('Close');
  await page.getByRole('button', { name: 'Actions for Scales' }).click();
  await page.getByRole('menuitem', { name: 'Rotate key' }).click();
  await answer('Create second key');
  const value = await shownKey('Scales (2)');
  await page.goBack();
  await answer('Back to the key');
  await expect.poll(path).toBe('/settings/api-keys');
  await loadAnew();
  await expect.poll(() => unloads).toEqual(['beforeunload']);
  expect(await shownKey('Scales (2)')).toBe(value);
  await tick('Scales (2)');
  await answer('Close');
  await isShown('Rotate the key of Scales');
  await page.goBack();
  await isShown('API keys');
  await page.goBack();
  await isShown('Overview');
});

test('unchanged settings are left without a confirmation', async () => {
  await openGateway();
  await page.goBack();
  await isShown('API keys');
  await page.goForward();
  await page.getByLabel('Base URL').waitFor();
  await page.reload();
  await page.getByLabel('Base URL').waitFor();
  await expectNoQuestion();
});

test('leaving changed settings by Back, Forward or reload asks for confirmation, and they remain as typed', async () => {
  await openGateway();
  const saved = await baseUrl();
  await open(page, 'Journal');
  await isShown('Journal');
  await page.goBack();
  await page.getByLabel('Base URL').fill(BASE_URL);
  for (const way of ['goBack', 'goForward'] as const) {
    await page[way]();
    await question().waitFor();
    await answer('Keep editing');
    await question().waitFor({ state: 'detached' });
    await expect.poll(path).toBe('/settings/gateway');
    expect(await baseUrl()).toBe(BASE_URL);
  }
  await loadAnew();
  await expect.poll(() => unloads).toEqual(['beforeunload']);
  expect(await baseUrl()).toBe(BASE_URL);

  await page.goBack();
  await answer('Leave without saving');
  await isShown('API keys');
  await page.goForward();
  await expect.poll(baseUrl).toBe(saved);
  await page.goForward();
  await isShown('Journal');
});

test('a user who goes back over several pages at once stays, or reaches the intended page', async () => {
  await openGateway();
  await page.getByLabel('Base URL').fill(BASE_URL);
  await page.evaluate(() => history.go(-3));
  await question().waitFor();
  await page.goForward();
  await answer('Keep editing');
  await expect.poll(path).toBe('/settings/gateway');
  expect(await baseUrl()).toBe(BASE_URL);
  await page.evaluate(() => history.go(-3));
  await answer('Leave without saving');
  await isShown('Pipelines');
  await page.goForward();
  await isShown('Overview');
});

test('a link and then Back lead where they led before, with one press each', async () => {
  await openGateway();
  await page.getByLabel('Base URL').fill(BASE_URL);
  await open(page, 'Journal');
  await answer('Keep editing');
  expect(await baseUrl()).toBe(BASE_URL);
  await open(page, 'Journal');
  await answer('Leave without saving');
  await isShown('Journal');
  await page.goBack();
  await page.getByLabel('Base URL').waitFor();
  await page.goBack();
  await isShown('API keys');
});

test('Back works with one press after it asked for confirmation and the settings were saved', async () => {
  await openGateway();
  await days().fill('41');
  await page.goBack();
  await answer('Keep editing');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
  await page.goBack();
  await isShown('API keys');
  await expectNoQuestion();
  await page.goForward();
  await expect.poll(() => days().inputValue()).toBe('41');
});

test('a confirmation that a save makes unnecessary closes, and Back proceeds', async () => {
  await openGateway();
  await days().fill('42');
  const { promise: pressed, resolve: answerSave } = Promise.withResolvers<void>();
  await page.route('**/api/v1/settings', async (route) => {
    if (route.request().method() === 'PATCH') await pressed;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.goBack();
  await question().waitFor();
  answerSave();
  await isShown('API keys');
  await page.unroute('**/api/v1/settings');
  await expectNoQuestion();
});

test('a changed query asks for confirmation, is kept, saved, and then left with one press', async () => {
  await page.getByRole('link', { name: 'Data' }).click();
  await page.getByRole('link', { name: 'Named queries' }).click();
  await page.getByRole('button', { name: 'orders', exact: true }).click();
  const description = page.getByLabel('Description');
  await description.fill('Open orders');
  await page.goBack();
  await question().waitFor();
  await answer('Keep editing');
  await expect.poll(() => page.url()).toMatch(/\/data\/queries\?open=orders$/);
  expect(await description.inputValue()).toBe('Open orders');
  await loadAnew();
  await expect.poll(() => unloads).toEqual(['beforeunload']);
  await answer('Save query');
  await page.getByText('orders was saved.').waitFor();
  unloads = [];
  await page.goBack();
  await expect.poll(path).toBe('/data/tags');
  await expectNoQuestion();

  await page.goForward();
  await description.fill('Something else');
  await page.goBack();
  await answer('Leave without saving');
  await expect.poll(path).toBe('/data/tags');
  await page.goBack();
  await isShown('Overview');
});
