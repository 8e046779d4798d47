import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { PEOPLE } from './appliance.ts';
import { logIn, logOut } from './steps.ts';
import { applianceOfFile } from './file-appliance.ts';

/**
 * A session that ends in the middle of an edit, or another user who saves the same object: no input is lost or
 * overwritten without a confirmation, and nobody else can see it.
 */
const { Administrator: ADMINISTRATOR, Engineer: ENGINEER } = PEOPLE;
const SOMEBODY = { name: 'S. Omebody', password: 'is given other roles' };

const appliance = applianceOfFile();
let page: Page;

beforeAll(async () => {
  await appliance.service.admin.ok('POST', '/projects', { id: 'line', name: 'Filling line' });
  ({ page } = await appliance.window('Engineer'));
});

/** The remains of an aborted test. */
beforeEach(async () => {
  await page.context().clearCookies();
  await page.goto(appliance.service.ready.ui);
  await logIn(page, ADMINISTRATOR);
});

/**
 * The session ends at the moment of saving. Immediately, because the page may notice it first: then the button no
 * longer exists, and the input is kept nevertheless.
 */
async function saveInVain(name: string): Promise<void> {
  await page.context().clearCookies();
  await page.getByRole('button', { name }).evaluateAll(([button]) => (button as HTMLElement | undefined)?.click());
  await over().waitFor();
}

const over = () => page.getByText('Your session has ended');
const script = () => page.getByLabel('Name', { exact: true });

test('an unfinished script is restored after the log-in, only for its author', async () => {
  await logOut(page, ADMINISTRATOR);
  await logIn(page, ENGINEER);
  await page.goto(`${appliance.service.ready.ui}/data/scripts?project=line`);
  await page
    .getByRole('button', { name: /script/i })
    .first()
    .click();
  await script().fill('scale');
  await page.getByLabel('Description').fill('Litres to bottles');
  await saveInVain('Save script');

  await logIn(page, ADMINISTRATOR);
  await script().waitFor();
  await expect.poll(() => script().inputValue()).toBe('');
  await logOut(page, ADMINISTRATOR);
  await expect.poll(() => over().count()).toBe(0);

  await logIn(page, ENGINEER);
  await page.getByLabel('Description').waitFor();
  await expect.poll(() => script().inputValue()).toBe('scale');
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Litres to bottles');
  await page.getByRole('button', { name: 'Save script' }).click();
  await page.getByText('scale', { exact: false }).first().waitFor();
  const saved = await appliance.service.admin.ok<{ items: { id: string }[] }>('GET', '/projects/line/scripts');
  expect(saved.items.map(({ id }) => id)).toEqual(['scale']);
});

test('unsaved settings of the gateway are restored, and only they are sent', async () => {
  await page.goto(`${appliance.service.ready.ui}/settings/gateway`);
  await page.getByLabel('Retention').fill('45');
  await saveInVain('Save changes');
  await appliance.service.admin.ok('PATCH', '/settings', { journalDays: 60 });

  await logIn(page, ADMINISTRATOR);
  await page.getByText('1 unsaved change.').waitFor();
  await expect.poll(() => page.getByLabel('Retention').inputValue()).toBe('45');
  await page.getByText('Somebody else has saved this in the meantime').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Keep my input' }).click();
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Save changes' }).click();
  expect((await sent).postDataJSON()).toEqual({ journalDays: 45 });
  await page.getByText('Saved. The gateway has the new settings.').waitFor();
});

test('a version that another user saved is not overwritten without a confirmation, and an unchanged form follows it', async () => {
  const { admin } = appliance.service;
  const description = page.getByLabel('Description');
  const [script] = (await admin.ok<{ items: object[] }>('GET', '/projects/line/scripts')).items;
  const saveElsewhere = (text: string) =>
    admin.ok('PUT', '/projects/line/scripts/scale', { ...script, description: text });
  await page.goto(`${appliance.service.ready.ui}/data/scripts?project=line&open=scale`);
  await description.waitFor();
  await saveElsewhere('Theirs');
  await expect.poll(() => description.inputValue()).toBe('Theirs');

  await description.fill('Mine');
  await saveElsewhere('Theirs again');
  await page.getByText('Somebody else has saved this in the meantime').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Save script' }).isDisabled()).toBe(true);
  await expect.poll(() => description.inputValue()).toBe('Mine');
  await page.getByRole('button', { name: 'Use their version' }).click();
  await expect.poll(() => description.inputValue()).toBe('Theirs again');
  await description.fill('Mine');
  await page.getByRole('button', { name: 'Save script' }).click();
  await page.getByText('not saved').waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText('Somebody else').count()).toBe(0);
});

test('a variable, a role and the roles of a user are not overwritten either', async () => {
  const { admin } = appliance.service;
  const { ui } = appliance.service.ready;
  const others = page.getByRole('dialog').getByText('Somebody else has saved this in the meantime');
  const tick = (name: string) => page.getByRole('dialog').getByRole('checkbox', { name });
  const take = () => page.getByRole('button', { name: 'Use their version' }).click();

  await admin.ok('PUT', '/projects/line/variables/shift', { value: 'early' });
  await page.goto(`${ui}/data/variables?project=line`);
  await page.getByRole('button', { name: 'shift', exact: true }).click();
  const value = page.getByRole('dialog').getByRole('textbox');
  await value.fill('"mine"');
  await admin.ok('PUT', '/projects/line/variables/shift', { value: 'late' });
  await others.waitFor();
  await page.getByRole('button', { name: 'Keep my input' }).click();
  // As a pipeline may, every second.
  await admin.ok('PUT', '/projects/line/variables/shift', { value: 'night' });
  await page.getByRole('table').getByText('"night"').waitFor();
  await expect.poll(() => others.count()).toBe(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('table').getByText('"mine"').waitFor();

  const role = await admin.ok<{ id: string }>('POST', '/roles', { name: 'Shift lead', permissions: ['view'] });
  await page.goto(`${ui}/settings/people`);
  await page.getByRole('button', { name: 'Edit the role Shift lead' }).click();
  await tick('Run pipelines').check();
  await admin.ok('PATCH', `/roles/${role.id}`, { permissions: ['view', 'view_audit'] });
  await others.waitFor();
  await take();
  await expect.poll(() => tick('View the journal').isChecked()).toBe(true);
  await expect.poll(() => tick('Run pipelines').isChecked()).toBe(false);
  await page.keyboard.press('Escape');

  const person = await admin.ok<{ id: string }>('POST', '/users', { ...SOMEBODY, roles: ['Viewer'] });
  await page.getByRole('button', { name: 'Actions for S. Omebody' }).click();
  await page.getByRole('menuitem', { name: 'Change roles' }).click();
  await tick('Operator').check();
  await admin.ok('PATCH', `/users/${person.id}`, { roles: ['Engineer'] });
  await others.waitFor();
  await take();
  await expect.poll(() => tick('Engineer').isChecked()).toBe(true);
  await expect.poll(() => tick('Operator').isChecked()).toBe(false);
});

test('another tab needs no separate log-in, and a log-out applies to both', async () => {
  const second = await page.context().newPage();
  await second.goto(appliance.service.ready.ui);
  await second.getByRole('navigation', { name: 'Main' }).waitFor();
  await logOut(page, ADMINISTRATOR);
  await second.getByRole('button', { name: 'Log in' }).waitFor();
  await logIn(second, ENGINEER);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.getByText(ENGINEER.name).first().waitFor();
  await second.close();
});
