import type { Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import type { Appliance } from './appliance.ts';
import { CLEAN } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/** Settings → Service tokens: created, used by a program, and revoked. Each test begins where the previous one ended. */
const appliance = applianceOfFile();
let window: Awaited<ReturnType<Appliance['window']>>;
let page: Page;
let token: string;

beforeAll(async () => {
  await appliance.service.admin.ok('POST', '/projects', { id: 'line-2', name: 'Filling line 2' });
  window = await appliance.window('Administrator');
  page = window.page;
});

afterEach(() => expect(window.watch).toEqual(CLEAN));

const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (name: string) => page.getByRole('dialog', { name });
const ask = async (path: string): Promise<number> => {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${appliance.service.ready.ui}/api/v1${path}`, { headers })).status;
};

test('a service token is created for one project and shown once', async () => {
  await page.goto(`${appliance.service.ready.ui}/settings/service-tokens`);
  await page.getByText('No service tokens yet').waitFor();
  await page.getByRole('button', { name: 'Create service token' }).click();
  const form = dialog('Create service token');
  await form.getByRole('checkbox', { name: /^View everything else/ }).uncheck();
  await form.getByRole('checkbox', { name: /^Edit pipelines/ }).uncheck();
  await form.getByRole('button', { name: 'Create token' }).click();
  await form.getByText('Enter a name of 1 to 64 characters.').waitFor();
  await form.getByText('Choose at least one permission.').waitFor();
  await expectAccessible(page, 'Create service token');
  await form.getByLabel('Name').fill('CI');
  await form.getByRole('checkbox', { name: /^View everything else/ }).check();
  await form.getByRole('combobox', { name: 'Project' }).selectOption('line-2');
  await form.getByLabel('Addresses (optional)').fill('127.0.0.300');
  await form.getByRole('button', { name: 'Create token' }).click();
  await form.getByText(/such as 10\.0\.0\.0\/8/).waitFor();
  await form.getByLabel('Addresses (optional)').fill('127.0.0.0/8, ::1');
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = dialog('Service token CI');
  token = (await shown.getByTestId('token-value').textContent()) ?? '';
  expect(token).toMatch(/^slt_/);
  expect(await shown.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
  await expectAccessible(page, 'Service token CI');
  await shown.getByRole('checkbox').check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await row('CI').getByText('View everything else').waitFor();
  await row('CI').getByText('Valid', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(token);
});

test('its use is shown, and a revocation ends it at once', async () => {
  expect(await ask('/projects/line-2')).toBe(200);
  expect(await ask('/projects')).toBe(403);
  await row('CI').getByText(/ ago/).first().waitFor();
  await expectAccessible(page, 'Service tokens');
  await page.getByRole('button', { name: 'Actions for CI' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const question = dialog('Revoke the service token CI?');
  await question.getByText('It was last used').waitFor();
  await question.getByRole('checkbox').check();
  await question.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByRole('status').filter({ hasText: 'The service token CI was revoked.' }).waitFor();
  await row('CI').getByText('Revoked by').waitFor();
  expect(await ask('/projects/line-2')).toBe(401);
});

test('the journal shows its refused call under its name', async () => {
  await page.getByRole('button', { name: 'Actions for CI' }).click();
  await page.getByRole('menuitem', { name: 'Show its calls' }).click();
  await page.getByRole('row').filter({ hasText: 'token:CI' }).first().waitFor();
});
