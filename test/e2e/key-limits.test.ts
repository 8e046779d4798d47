import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { type Appliance, startAppliance } from './appliance.ts';

/** Settings → API keys: a key is made with limits, marked in the list, its limits are changed, and it is paused. */
let appliance: Appliance;
let page: Page;

beforeAll(async () => {
  appliance = await startAppliance();
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  for (const path of ['line7/filler/speed', 'line7/filler/bottles', 'line7/safety'])
    await admin.ok('POST', '/projects/line-7/tags', { path, type: 'number', source: { provider: 'memory' } });
  ({ page } = await appliance.window('Administrator'));
}, 120_000);
afterAll(() => appliance?.stop());

const limits = async (): Promise<unknown> =>
  (await appliance.service.admin.ok<{ items: { limits: object }[] }>('GET', '/keys')).items[0]?.limits;

test('a key is limited to selected tags and addresses, and the limits are changed', { timeout: 120_000 }, async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create API key' });
  await form.getByLabel('Caller').fill('Filler panel');
  await form.getByRole('checkbox', { name: /tag:write/ }).check();
  const choice = form.getByRole('group', { name: 'tag:write' });
  await choice.getByRole('button', { name: 'Only these' }).click();
  await form.getByText('Covers none of 3 tags.').waitFor();
  await form.getByLabel('Add a tag or folder to tag:write').selectOption('line7/filler/**');
  await form.getByText('Covers 2 of 3 tags: line7/filler/').waitFor();
  await form.getByText('Covers 2 of 3').scrollIntoViewIfNeeded();
  await expectAccessible(page, 'create a key with limits');
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Key for Filler panel' });
  await shown.getByLabel(/I have stored the key/).check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Limited', { exact: true }).waitFor();
  expect(await limits()).toEqual({ 'tag:write': ['line7/filler/**'] });

  await page.getByRole('button', { name: 'Actions for Filler panel' }).click();
  await page.getByRole('menuitem', { name: 'Change limits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Limits of the key of Filler panel' });
  await dialog.getByRole('group', { name: 'Addresses' }).getByRole('button', { name: 'Only these' }).click();
  await dialog.getByLabel('Entries of Addresses').fill('10.0.0.300');
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await dialog.getByText('expected an address or a network').waitFor();
  await dialog.getByLabel('Entries of Addresses').fill('10.0.0.0/8, 192.168.1.7');
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await limits()).toEqual({ 'tag:write': ['line7/filler/**'], addresses: ['10.0.0.0/8', '192.168.1.7'] });
});

test('a key is limited to hours, ends, is paused with a reason and resumed', { timeout: 120_000 }, async () => {
  const actions = page.getByRole('button', { name: 'Actions for Filler panel' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Change limits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Limits of the key of Filler panel' });
  await dialog.getByRole('group', { name: 'Hours' }).getByRole('button', { name: 'Only these' }).click();
  await dialog.getByLabel('Entries of Hours').fill('always');
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await dialog.getByText('expected days and hours such as mon-fri 06:00-14:00').waitFor();
  await dialog.getByLabel('Entries of Hours').fill('mon-fri 06:00-14:00\nsat 22:00-06:00');
  await dialog.getByRole('group', { name: 'End' }).getByRole('button', { name: 'Ends' }).click();
  await dialog.getByLabel('Ends at').fill('2050-12-01T18:00');
  await dialog.getByLabel('Ends at').scrollIntoViewIfNeeded();
  await expectAccessible(page, 'limits with hours and an end');
  await dialog.getByRole('button', { name: 'Save limits' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await limits()).toMatchObject({
    hours: ['mon-fri 06:00-14:00', 'sat 22:00-06:00'],
    until: expect.stringMatching(/^2050-1[12]-/),
  });

  await page.getByRole('button', { name: /Filler panel slc_/ }).click();
  const access = page.getByRole('dialog', { name: 'Access of the key of Filler panel' });
  await access.getByText('sat 22:00-06:00').waitFor();
  await access.getByRole('button', { name: 'Close' }).click();

  await actions.click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  const pause = page.getByRole('dialog', { name: 'Pause the key of Filler panel?' });
  await pause.getByRole('button', { name: 'Pause' }).click();
  await pause.getByText('Expected 1 to 200 characters.').waitFor();
  await pause.getByLabel('Reason').fill('Service of the filler');
  await expectAccessible(page, 'pause a key');
  await pause.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/Paused .* by .*: “Service of the filler”/).waitFor();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await page.getByText(/Service of the filler/).waitFor({ state: 'detached' });
});

test('a honey key has no scopes, and an exposed key offers its rotation', { timeout: 120_000 }, async () => {
  const { service } = appliance;
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create API key' });
  await form.getByLabel('Caller').fill('Trap');
  await form.getByRole('checkbox', { name: /Honey key/ }).check();
  await form.getByRole('checkbox', { name: /tag:write/ }).waitFor({ state: 'detached' });
  await expectAccessible(page, 'create a honey key');
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Key for Trap' });
  await shown.getByLabel(/I have stored the key/).check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('row').filter({ hasText: 'Trap' }).getByText('Honey key').waitFor();

  const { key } = await service.admin.ok<{ key: string }>('POST', '/projects/line-7/keys', { name: 'MES' });
  await fetch(`http://127.0.0.1:${service.gatewayPort}/nowhere?key=${key}`);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'MES' });
  await row.getByText(/In the query of GET \/nowhere/).waitFor();
  await expectAccessible(page, 'keys with an exposed key');
  await row.getByRole('button', { name: 'Exposed: rotate' }).click();
  await page.getByRole('dialog', { name: /MES/ }).getByRole('button', { name: 'Cancel' }).click();
});

test('the details of a tag show which keys can write it', { timeout: 120_000 }, async () => {
  const { admin } = appliance.service;
  const nodes = [
    { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', method: 'POST', urlPattern: '/speed' } },
    { id: 'w', kind: 'tag-write', settings: { writes: [{ tag: 'line7/filler/speed', value: 1 }] } },
    { id: 'out', kind: 'http-response', settings: {} },
  ];
  const wires = [
    { from: 'in', port: 'out', to: 'w' },
    { from: 'w', port: 'out', to: 'out' },
  ];
  await admin.ok('POST', '/projects/line-7/pipelines', { id: 'speed', name: 'Speed', nodes, wires });
  await admin.ok('POST', '/projects/line-7/pipelines/speed/start');
  await page.goto(`${appliance.service.ready.ui}/data/tags`);
  await page.getByRole('button', { name: 'line7/filler/speed' }).click();
  const access = page.getByRole('region', { name: 'Access' });
  await access.getByText('Key of Filler panel').waitFor();
  await access.getByText('/speed').waitFor();
  await access.scrollIntoViewIfNeeded();
  await expectAccessible(page, 'access to a tag');
  await access.getByRole('button', { name: 'Read' }).click();
  await access.getByText('No key and no running pipeline has this access.').waitFor();
});

test(
  'queries, variables and connections show which keys, pipelines and users can use them',
  { timeout: 120_000 },
  async () => {
    const { admin, ready } = appliance.service;
    const P = '/projects/line-7';
    const settings = { kind: 'postgresql', host: '127.0.0.1', port: 1, database: 'mes', user: 'line', password: 'x' };
    await admin.ok('POST', `${P}/connections`, { id: 'mes', name: 'MES', settings });
    await admin.ok('POST', `${P}/queries`, { id: 'stock', connection: 'embedded', sql: 'SELECT 1' });
    await admin.ok('PUT', `${P}/variables/shift`, { value: 'early' });
    const node = (id: string, kind: string, more: object) => ({ id, kind, settings: more });
    const nodes = [
      node('every', 'timer', { every: 3600 }),
      node('in', 'rest-api', { mode: 'ingress', method: 'GET', urlPattern: '/stock', requiredScopes: ['db:read'] }),
      node('query', 'named-query', { query: 'stock' }),
      node('keep', 'variable-write', { name: 'shift', value: 'late' }),
      node('sql', 'sql', { connection: 'mes', sql: 'DELETE FROM old' }),
      node('out', 'http-response', {}),
    ];
    const wire = (from: string, to: string) => ({ from, port: 'out', to });
    const wires = [wire('every', 'keep'), wire('keep', 'sql'), wire('in', 'query'), wire('query', 'out')];
    const grants = ['vars:write', 'db:write'];
    await admin.ok('POST', `${P}/pipelines`, { id: 'stock', name: 'Stock', nodes, wires, grants });
    await admin.ok('POST', `${P}/pipelines/stock/start`);
    await admin.ok('POST', `${P}/keys`, { name: 'MES line 7', scopes: ['db:read'] });
    const access = page.getByRole('region', { name: 'Access' });

    await page.goto(`${ready.ui}/data/queries?open=stock`);
    await access.getByText('Key of MES line 7').waitFor();
    await access.getByText(/^Users who can do it here: .*admin/).waitFor();

    await page.goto(`${ready.ui}/data/variables`);
    await page.getByRole('button', { name: 'shift', exact: true }).click();
    await access.getByText('Pipeline Stock, without a key').waitFor();
    await access.getByText('Starts with: Timer').waitFor();
    await expectAccessible(page, 'access to a variable');

    await page.goto(`${ready.ui}/settings/connections`);
    await page.getByRole('button', { name: 'Actions for MES' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await access.getByText('Starts with: Timer').waitFor();
  },
);
