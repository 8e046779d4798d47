import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { type Appliance, startAppliance } from './appliance.ts';
import type { Watch } from './chromium.ts';

/**
 * Settings → API keys: created, shown once, its reach, rotated on the rotation page, revoked with its callers listed.
 */
const STORY_MS_MAX = 120_000;
const PIPELINE = {
  id: 'orders',
  name: 'Orders',
  nodes: [
    {
      id: 'in',
      kind: 'rest-api',
      settings: { mode: 'ingress', method: 'GET', urlPattern: '/api/v1/speed', requiredScopes: ['tag:read'] },
    },
    { id: 'read', kind: 'tag-read', settings: { tags: ['line7/*'] } },
    { id: 'out', kind: 'http-response', settings: { status: 200, body: { ok: true } } },
  ],
  wires: [
    { from: 'in', port: 'out', to: 'read' },
    { from: 'read', port: 'out', to: 'out' },
  ],
};

let appliance: Appliance;
let page: Page;
let watch: Watch;
let oldKey = '';
let newKey = '';

const callWith = (key: string) =>
  fetch(`http://127.0.0.1:${appliance.service.gatewayPort}/api/v1/speed`, { headers: { 'X-API-Key': key } });

beforeAll(async () => {
  appliance = await startAppliance();
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  for (const name of ['speed', 'temperature'])
    await admin.ok('POST', '/projects/line-7/tags', {
      path: `line7/${name}`,
      type: 'number',
      source: { provider: 'memory', initial: 1 },
    });
  await admin.ok('POST', '/projects/line-7/pipelines', PIPELINE);
  await admin.ok('POST', '/projects/line-7/pipelines/orders/start');
  ({ page, watch } = await appliance.window('Administrator'));
}, STORY_MS_MAX);
afterAll(() => appliance?.stop());
afterEach(() => expect(watch).toEqual({ violations: [], foreignRequests: [], pageErrors: [] }));

async function shownKey(name: string): Promise<string> {
  const shown = page.getByRole('dialog', { name: `Key for ${name}` });
  const value = (await shown.getByTestId('key-value').innerText()).trim();
  await expectAccessible(page, 'key shown once');
  await shown.getByLabel(/I have stored the key/).check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await shown.waitFor({ state: 'detached' });
  return value;
}

test(
  'a key is created with the scopes of a route, and the dialog says what it will reach',
  { timeout: STORY_MS_MAX },
  async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create API key' });
    await form.getByText('cannot call any of the 1 routes').waitFor();
    await form.getByLabel('Caller').fill('MES line 7');
    await form.getByRole('button', { name: 'Copy scopes from a route' }).click();
    await page.getByRole('menuitem', { name: 'GET /api/v1/speed' }).click();
    await form.getByText('can call 1 of 1 routes').waitFor();
    await form.getByText('Reads 2 tags').waitFor();
    await expectAccessible(page, 'create key');
    await form.getByRole('button', { name: 'Create key' }).click();
    oldKey = await shownKey('MES line 7');
    expect((await callWith(oldKey)).status).toBe(200);
  },
);

test(
  'the list counts the calls of a key, and its reach lists the tags that it can read',
  { timeout: STORY_MS_MAX },
  async () => {
    const row = page.getByRole('row', { name: /MES line 7/ });
    await row.getByText('127.0.0.1').waitFor();
    await expectAccessible(page, 'API keys');
    await row.getByRole('button', { name: /MES line 7.*slc_/ }).click();
    const reach = page.getByRole('dialog', { name: 'Access of the key of MES line 7' });
    await reach.getByText('Reads 2 tags').waitFor();
    await reach.getByText('line7/speed, line7/temperature').waitFor();
    await expectAccessible(page, 'reach');
    await reach.getByRole('button', { name: 'Close' }).click();
  },
);

test(
  'a key is created from its route, and the example calls in every language leave its value out',
  { timeout: STORY_MS_MAX },
  async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Routes' }).click();
    await page.getByRole('button', { name: 'Show GET /api/v1/speed' }).click();
    await page.getByRole('link', { name: 'Create key for this route' }).click();
    const form = page.getByRole('dialog', { name: 'Create API key' });
    await form.getByText('For the route GET /api/v1/speed of the project Line 7.').waitFor();
    expect(await form.getByRole('checkbox', { name: /tag:read/ }).isChecked()).toBe(true);
    await form.getByLabel('Caller').fill('Weigher');
    await form.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'Key for Weigher' });
    const value = (await shown.getByTestId('key-value').innerText()).trim();
    await shown.getByRole('heading', { name: 'Call GET /api/v1/speed now' }).waitFor();
    for (const [language, mark] of [
      ['Python', 'SLUICE_API_KEY'],
      ['C#', 'SLUICE_API_KEY'],
      ['Siemens LHTTP', 'LHTTP_Get'],
      ['CODESYS', 'NBS.TCP_Client'],
      ['TwinCAT', 'FB_IotHttpClient'],
      ['curl', '$SLUICE_API_KEY'],
    ] as const) {
      await shown.getByRole('button', { name: language, exact: true }).click();
      const code = shown.locator('pre').last();
      await code.filter({ hasText: mark }).waitFor();
      expect(await code.innerText()).not.toContain(value);
    }
    await expectAccessible(page, 'key shown once');
    await shown.getByLabel(/I have stored the key/).check();
    await shown.getByRole('button', { name: 'Close' }).click();
    await shown.waitFor({ state: 'detached' });
    expect((await callWith(value)).status).toBe(200);
    await page.getByLabel('Find a key by name, slc_… or project').fill(value);
    await page.getByText('1 key', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Weigher/ }).waitFor();
    expect(page.url()).not.toContain('slc_');
    await page.getByRole('button', { name: 'Revoked', exact: true }).click();
    await page.getByText('No matching keys').waitFor();
    await page.getByRole('button', { name: 'Show all keys' }).click();
    await page.getByRole('row', { name: /MES line 7/ }).waitFor();
    await expectAccessible(page, 'API keys, searched');
  },
);

test(
  'text in the address that is not a route of the project is not shown as a route',
  { timeout: STORY_MS_MAX },
  async () => {
    const wish = { project: 'line-7', create: 'tag:read', route: 'Call 555 to unlock' };
    const routesRead = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/routes'));
    await page.goto(`${appliance.service.ready.ui}/settings/api-keys?${new URLSearchParams(wish).toString()}`);
    const form = page.getByRole('dialog', { name: 'Create API key' });
    await form.getByRole('checkbox', { name: /tag:read/ }).waitFor();
    await routesRead;
    expect(await form.innerText()).not.toContain('555');
    await form.getByRole('button', { name: 'Cancel' }).click();
  },
);

test(
  'a rotation shows who still sends the old key, and its revocation names the callers',
  { timeout: STORY_MS_MAX },
  async () => {
    await page.getByRole('button', { name: 'Actions for MES line 7' }).click();
    await page.getByRole('menuitem', { name: 'Rotate key' }).click();
    await page.getByRole('button', { name: 'Create second key' }).click();
    newKey = await shownKey('MES line 7 (2)');
    await page.getByRole('heading', { name: 'Rotate the key of MES line 7' }).waitFor();
    await page.getByText('Not yet: 1 host still sends the old key.').waitFor();
    const routes = page.getByRole('region', { name: 'Routes' });
    await routes.getByRole('row', { name: /speed.*Old key only/ }).waitFor();
    await page.getByRole('button', { name: 'Give up: revoke the new key' }).click();
    const unused = page.getByRole('dialog', { name: 'Give up the rotation: revoke the new key of MES line 7 (2)?' });
    await unused.getByText('Nobody has called with the new key.').waitFor();
    await unused.getByRole('button', { name: 'Keep key' }).click();
    expect((await callWith(newKey)).status).toBe(200);
    await routes.getByRole('row', { name: /speed.*Switching over/ }).waitFor();
    await page.getByRole('button', { name: 'Give up: revoke the new key' }).click();
    const givingUp = page.getByRole('dialog', { name: /Give up the rotation/ });
    await givingUp.getByText('The new key is in use by 127.0.0.1.').waitFor();
    await expectAccessible(page, 'give up a rotation');
    await givingUp.getByRole('button', { name: 'Keep key' }).click();
    await page
      .getByRole('row', { name: /127\.0\.0\.1/ })
      .getByText('Both keys')
      .waitFor();
    await expectAccessible(page, 'rotation');
    await page.getByRole('button', { name: 'Revoke old key anyway' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke the key of MES line 7?' });
    await question.getByText(/MES line 7 last used this key/).waitFor();
    await question.getByRole('cell', { name: 'MES line 7, 127.0.0.1' }).waitFor();
    await question
      .getByText('The route that this key called has been called with the key of MES line 7 (2).')
      .waitFor();
    await expectAccessible(page, 'revoke');
    await expect.poll(() => question.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true);
    await question.getByLabel(/safe for MES line 7 to stop/).check();
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Done: the old key of MES line 7 is revoked').waitFor();
    await page.getByText('It has been seen on 1 of the 1 routes that the old key called.').waitFor();
    await page.getByRole('link', { name: 'Show API keys' }).waitFor();
    expect(await page.getByText('Both keys').count()).toBe(0);
    expect([(await callWith(oldKey)).status, (await callWith(newKey)).status]).toEqual([401, 200]);
  },
);

test('the row of a refused key shows the refusals and links to them', { timeout: STORY_MS_MAX }, async () => {
  const made = await appliance.service.admin.ok<{ key: string }>('POST', '/projects/line-7/keys', {
    name: 'Labeller',
    scopes: [],
  });
  for (let call = 0; call < 3; call++) expect((await callWith(made.key)).status).toBe(403);
  await page.getByRole('link', { name: /Back to API keys/ }).click();
  await page
    .getByRole('row', { name: /Labeller/ })
    .getByRole('link', { name: 'Refused 3 times' })
    .click();
  await page.getByText('scope_missing').first().waitFor();
});

test('a user without the permission sees a notice and no keys', { timeout: STORY_MS_MAX }, async () => {
  const { page: engineers, close } = await appliance.window('Engineer');
  await engineers.goto(`${appliance.service.ready.ui}/settings/api-keys`);
  await engineers.getByText('Only users with the permission “Manage keys”').waitFor();
  expect(await engineers.getByRole('table').count()).toBe(0);
  await close();
});

test(
  'an Operator creates a key with the scopes that the project uses, but not with others',
  { timeout: STORY_MS_MAX },
  async () => {
    const { page: operators, close } = await appliance.window('Operator');
    await operators.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
    await operators.getByRole('button', { name: 'Create key' }).first().click();
    const form = operators.getByRole('dialog', { name: 'Create API key' });
    await form.getByLabel('Caller').fill('Palletizer');
    await form.getByRole('checkbox', { name: /db:write/ }).check();
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText(/Giving a key db:write requires the permission access_settings/).waitFor();
    await form.getByRole('checkbox', { name: /db:write/ }).uncheck();
    await form.getByRole('checkbox', { name: /tag:read/ }).check();
    await form.getByRole('button', { name: 'Create key' }).click();
    await operators.getByRole('dialog', { name: 'Key for Palletizer' }).waitFor();
    await close();
  },
);
