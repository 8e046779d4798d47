import type { Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { type Appliance, PEOPLE, type Role } from './appliance.ts';
import { CLEAN } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';
import { logIn } from './steps.ts';

/**
 * Settings → Users and roles, Gateway and Connections in a real Chromium on the real service, in the order of use: each
 * test begins where the previous one ended.
 */

const appliance = applianceOfFile();
let window: Awaited<ReturnType<Appliance['window']>>;
let page: Page;

beforeAll(async () => {
  await appliance.service.admin.ok('POST', '/projects', { id: 'line-2', name: 'Filling line 2' });
  window = await appliance.window('Administrator');
  page = window.page;
});

afterEach(() => expect(window.watch).toEqual(CLEAN));

const openTab = async (path: string) => {
  await page.goto(`${appliance.service.ready.ui}/settings/${path}`);
};
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (name: string) => page.getByRole('dialog', { name });
const choose = async (menu: string, item: string) => {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('a user is added with a role once every field is valid', async () => {
  await openTab('people');
  await page.getByText('There is only one Administrator').waitFor();
  await page.getByRole('button', { name: 'Add user' }).click();
  const form = dialog('Add user');
  await form.getByLabel('Name').fill('j. keller');
  await form.getByText('A user named j. keller already exists.').waitFor();
  await form.getByLabel('Name').fill('M. Weber');
  await form.getByLabel('Initial password').fill('short');
  await form.getByRole('button', { name: 'Add user' }).click();
  await form.getByText('The password has 5 characters.').waitFor();
  await expectAccessible(page, 'Add user');
  await form.getByLabel('Initial password').fill('weber begins here');
  await form.getByRole('checkbox', { name: /^Operator/ }).check();
  await form.getByRole('button', { name: 'Add user' }).click();
  await said('M. Weber can log in now.');
  await row('M. Weber').filter({ hasText: 'Viewer' }).filter({ hasText: 'Operator' }).waitFor();
});

test('a custom role is composed of permissions in plain words and assigned', async () => {
  await page.getByRole('button', { name: 'Create role' }).click();
  const form = dialog('Create role');
  await form.getByLabel('Name').fill('Shift lead');
  await form.getByRole('checkbox', { name: /^Run pipelines/ }).check();
  await form.getByRole('button', { name: 'Create role' }).click();
  await said('The role Shift lead was created.');
  await row('Shift lead').getByText('Run pipelines, View everything else').waitFor();

  await choose('Actions for M. Weber', 'Change roles');
  const roles = dialog('Roles of M. Weber');
  await roles.getByRole('checkbox', { name: /^Operator/ }).uncheck();
  await roles.getByRole('checkbox', { name: /^Shift lead/ }).check();
  await roles.getByRole('button', { name: 'Change roles' }).click();
  await said('The roles of M. Weber were changed.');
  await page.getByRole('button', { name: 'Edit the role Shift lead' }).click();
  const change = dialog('Edit the role Shift lead');
  await change.getByText('1 user has this role').waitFor();
  await change.getByRole('checkbox', { name: /^View the journal/ }).check();
  await change.getByRole('button', { name: 'Save role' }).click();
  await row('Shift lead').getByText('Run pipelines, View the journal, View everything else').waitFor();
  await expectAccessible(page, 'Users and roles');
});

test('deactivating a user names the user and the effects first, and ends the open window at once', async () => {
  const other = await appliance.window('Operator');
  await choose('Actions for O. Perez', 'Deactivate');
  const ask = dialog('Deactivate O. Perez?');
  await ask.getByText(/O\. Perez logged in/).waitFor();
  await expect.poll(() => ask.getByRole('button', { name: 'Deactivate user' }).isDisabled()).toBe(true);
  await ask.getByLabel('O. Perez must be locked out now.').check();
  await ask.getByRole('button', { name: 'Deactivate user' }).click();
  await said('O. Perez is logged out');
  await row('O. Perez').getByText('Deactivated').waitFor();
  await other.page.getByRole('button', { name: 'Log in' }).waitFor();

  await choose('Actions for O. Perez', 'Reactivate');
  await said('O. Perez can log in again');
  await logIn(other.page, PEOPLE.Operator);
  await other.close();
});

test('the last Administrator can neither be deactivated nor lose the role', async () => {
  await page.getByRole('button', { name: `Actions for ${PEOPLE.Administrator.name}` }).click();
  await page.getByText('The last Administrator cannot be deactivated.').waitFor();
  await expect.poll(() => page.getByRole('menuitem', { name: 'Deactivate' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Change roles' }).click();
  const roles = dialog(`Roles of ${PEOPLE.Administrator.name}`);
  await roles.getByText('This is the last Administrator.').waitFor();
  await expect.poll(() => roles.getByRole('checkbox', { name: /^Administrator/ }).isDisabled()).toBe(true);
  await roles.getByRole('button', { name: 'Cancel' }).click();
});

test('only changes are sent to the gateway, and its refusals are shown on their fields', async () => {
  await openTab('gateway');
  await page.getByText('Turn on TLS, or use the gateway').waitFor();
  const port = page.getByRole('group', { name: 'Gateway port' });
  await port.getByText(String(appliance.service.gatewayPort), { exact: true }).waitFor();
  expect(await port.getByRole('textbox').count()).toBe(0);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'Metrics' }).click();
  await expect
    .poll(() => page.getByRole('region', { name: 'Metrics' }).evaluate((one) => one.matches(':focus')))
    .toBe(true);
  await page.getByText('Set by --gateway-port (SLUICE_GATEWAY_PORT)').waitFor();
  await page.getByLabel('Trusted proxies').fill('10.0.0.0/8\n10.0.0.0/99');
  await page.getByLabel('Retention').fill('30');
  await page.getByText('2 unsaved changes.').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('"10.0.0.0/99" is not an address range').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await expectAccessible(page, 'Gateway, refused');

  await page.getByLabel('Trusted proxies').fill('10.0.0.0/8\n\n10.1.0.1');
  await page.getByLabel('Maximum backlog on disk', { exact: true }).fill('1.5');
  await page.getByLabel('Token for /metrics').fill('a token for the scraper');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Save changes' }).click();
  expect((await sent).postDataJSON()).toEqual({
    trustedProxies: ['10.0.0.0/8', '10.1.0.1'],
    journalDays: 30,
    egressMaxBytes: 1.5 * 1024 ** 3,
    metricsToken: 'a token for the scraper',
  });
  await said('Saved. The gateway has the new settings.');
  await page.getByText('Stored. It is never shown again.').waitFor();
  expect(await page.content()).not.toContain('a token for the scraper');
  expect(await appliance.service.admin.ok('GET', '/settings')).toMatchObject({
    journalDays: 30,
    egressMaxBytes: 1.5 * 1024 ** 3,
    metricsToken: { set: true },
  });
});

test('a write-only setting is kept until it is replaced or removed', async () => {
  await page.getByRole('button', { name: 'Remove: Token for /metrics' }).click();
  await page.getByText('1 unsaved change.').waitFor();
  await page.getByRole('button', { name: 'Keep current value: Token for /metrics' }).click();
  await page.getByText('not saved yet').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove: Token for /metrics' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await said('Saved. The gateway has the new settings.');
  expect(await appliance.service.admin.ok('GET', '/settings')).toMatchObject({ metricsToken: null });
});

test('a generated token is shown with the configuration for Prometheus, and gives access to the metrics', async () => {
  await page.getByRole('button', { name: 'Generate token' }).click();
  const config = page.locator('.metrics .code pre');
  const token = /credentials: "([A-Za-z0-9_-]{43})"/.exec(await config.innerText())?.[1] ?? '';
  await page.getByText(token, { exact: true }).waitFor();
  await page.getByLabel('Port for other machines').fill('9464');
  await expect.poll(() => config.innerText()).toMatch(/targets: \["[^"]+:9464"\]/);
  await page.getByLabel('Port for other machines').fill('');
  const { host } = new URL(appliance.service.ready.ui);
  await expect.poll(() => config.innerText()).toContain(`targets: ["${host}"]`);
  await expectAccessible(page, 'Gateway, metrics');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await said('Saved. The gateway has the new settings.');
  const scrape = await fetch(`${appliance.service.ready.ui}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([scrape.status, (await scrape.text()).includes('sluice_gateway_up 1')]).toEqual([200, true]);
  await page.reload();
  await page.getByText('"<metrics token>"').waitFor();
  expect(await page.content()).not.toContain(token);
});

test('another port asks for confirmation first and names the callers to notify', async () => {
  // The service of the tests has its ports from flags; the page receives other settings, and the service still refuses.
  await page.route('**/api/v1/settings', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...(await response.json()), overridden: [] } });
  });
  await page.reload();
  await page.getByLabel('Gateway port').fill('8099');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const ask = dialog('Move the gateway to another address?');
  await ask.getByText('Each must be changed to http://127.0.0.1:8099.').waitFor();
  await ask.getByText('No machine has called in the last 24 h.').waitFor();
  await expect.poll(() => ask.getByRole('button', { name: 'Move gateway' }).isDisabled()).toBe(true);
  await expectAccessible(page, 'Move the gateway');
  await ask.getByRole('checkbox').check();
  await ask.getByRole('button', { name: 'Move gateway' }).click();
  await page.getByText('is fixed by a flag or an environment variable').waitFor();
  await page.unroute('**/api/v1/settings');
  await page.getByRole('button', { name: 'Discard changes' }).click();
});

test('a connection is tested as a draft and created, and its password never comes back', async () => {
  await openTab('connections');
  await page.getByText('No connections yet').waitFor();
  await page.getByRole('button', { name: 'New connection' }).click();
  const form = dialog('New connection');
  await form.getByLabel('Kind').selectOption('MySQL, MariaDB');
  await form.getByLabel('Name').fill('MES database');
  await expect.poll(() => form.getByLabel('ID', { exact: true }).inputValue()).toBe('mes-database');
  await expect.poll(() => form.getByLabel('Port').inputValue()).toBe('3306');
  await form.getByLabel('Host').fill('http://no-host');
  await form.getByRole('button', { name: 'Create connection' }).click();
  await form.getByText('expected a host name or an IP address').waitFor();
  await expect.poll(() => form.getByLabel('Host').evaluate((field) => field === document.activeElement)).toBe(true);
  await form.getByLabel('Host').fill('127.0.0.1');
  await form.getByLabel('Database').fill('mes');
  await form.getByLabel('User').fill('sluice');
  await form.getByLabel('Password').fill('of the database');
  await form.getByRole('button', { name: 'Test connection' }).click();
  await form.getByText(/The test failed after \d+ ms\./).waitFor();
  await form.getByRole('link', { name: /Allowed internal targets/ }).waitFor();
  await expectAccessible(page, 'New connection');
  await form.getByRole('button', { name: 'Create connection' }).click();
  await said('MES database was saved and is in use now.');
  expect(await page.content()).not.toContain('of the database');
  await row('MES database').filter({ hasText: 'MySQL, MariaDB' }).filter({ hasText: '127.0.0.1:3306' }).waitFor();
});

test('the stored password is not sent to another server, and the form shows a message', async () => {
  await choose('Actions for MES database', 'Edit');
  const form = dialog('Edit MES database');
  await form.getByText('Stored. It is never shown again.').waitFor();
  await form.getByLabel('Port').fill('3307');
  await form.getByText('Stored for 127.0.0.1:3306: password.').waitFor();
  await form.getByLabel('Port').fill('3306');
  await form.getByText('Stored. It is never shown again.').waitFor();
  await form.getByLabel('Port').fill('3307');
  await form.getByRole('button', { name: 'Save connection' }).click();
  await said('The secrets for the old server were removed.');
  const { settings } = await appliance.service.admin.ok<{ settings: unknown }>(
    'GET',
    '/projects/line-2/connections/mes-database',
  );
  expect(settings).toMatchObject({ port: 3307, password: null });
});

test('a connection in use names the pipelines that use it, and can be deleted only when none does', async () => {
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects/line-2/queries', {
    id: 'open-orders',
    connection: 'mes-database',
    sql: 'SELECT 1',
  });
  await row('MES database').getByText('Query open-orders').waitFor();
  await page.getByRole('button', { name: 'Test MES database' }).click();
  await row('MES database').getByText('Test failed').waitFor();
  await expectAccessible(page, 'Connections');
  await choose('Actions for MES database', 'Delete');
  const ask = dialog('Delete MES database?');
  await ask.getByRole('link', { name: 'Query open-orders' }).waitFor();
  await expect.poll(() => ask.getByRole('button', { name: 'Delete connection' }).count()).toBe(0);
  await admin.ok('DELETE', '/projects/line-2/queries/open-orders');
  await ask.getByLabel('MES database is no longer needed.').check();
  await ask.getByRole('button', { name: 'Delete connection' }).click();
  await said('MES database was deleted');
  await page.getByText('No connections yet').waitFor();
});

test.each<Role>(['Engineer', 'Operator', 'Viewer'])(
  'the role %s sees who may change these pages and is offered no changes',
  async (role) => {
    await appliance.service.admin.request('POST', '/projects/line-2/connections', {
      id: 'plc',
      name: 'Filler PLC',
      settings: { kind: 'modbus', host: '127.0.0.1' },
    });
    const other = await appliance.window(role);
    const told = async (path: string, text: string) => {
      await other.page.goto(`${appliance.service.ready.ui}${path}`);
      await other.page.getByText(text).waitFor();
      const main = other.page.getByRole('main');
      expect(await main.getByRole('button').count(), path).toBe(0);
      expect(await main.getByRole('textbox').count(), path).toBe(0);
    };
    await told('/settings/people', 'Only users with the permission “Manage users”');
    await told('/settings/gateway', 'Only users with the permission “Change settings” can change the gateway');
    await told(
      '/settings/connections',
      'Only users with the permission “Change settings” can change and test connections',
    );
    await other.page.getByText('Filler PLC').waitFor();
    await expectAccessible(other.page, `Connections, ${role}`);
    expect(other.watch).toEqual(CLEAN);
    await other.close();
  },
);
