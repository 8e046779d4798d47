import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { STOPPED_STATUS } from '#common/errors/gateway-codes.ts';
import { startService, type TestService } from '#test/service.ts';
import { CLEAN, openBrowser, openPage, type TestBrowser, type Watch } from './chromium.ts';
import { ADMINISTRATOR, logIn, logOut, makeKey, makeRunningPipeline, open, setUp } from './steps.ts';

/**
 * The first window in a real Chromium on the real service, in the order of use: each test begins where the previous one
 * ended.
 */

let service: TestService;
let browser: TestBrowser;
let page: Page;
let watch: Watch;
let key = '';
let curl = '';

const orders = (body: unknown, apiKey = key) =>
  fetch(`http://127.0.0.1:${service.gatewayPort}/api/v1/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
    body: JSON.stringify(body),
  });

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  ({ page, watch } = await openPage(browser, service.ready.ui));
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

afterEach(() => expect(watch).toEqual(CLEAN));

test('a first start asks for the set-up token and refuses a wrong one with a message', async () => {
  await page.goto(service.ready.ui);
  await page.getByRole('button', { name: 'Create Administrator' }).click();
  await page.getByText('The token is missing.').waitFor();
  await page.getByLabel('Set-up token').fill('not the token');
  await page.getByLabel('Your name').fill(ADMINISTRATOR.name);
  await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
  await page.getByRole('button', { name: 'Create Administrator' }).click();
  await page.getByRole('alert').filter({ hasText: 'token' }).waitFor();
});

test('the token from the data folder creates the Administrator, who is logged in at once and can log out', async () => {
  const token = (await readFile(service.ready.setupTokenFile ?? '', 'utf8')).trim();
  await setUp(page, service.ready.ui, token, ADMINISTRATOR);
  await logOut(page, ADMINISTRATOR);
});

test('a wrong password is refused with a message', async () => {
  await page.getByLabel('Name').fill(ADMINISTRATOR.name);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').waitFor();
  await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
});

test('the log-in works with the keyboard only and shows the focus', async () => {
  await page.goto(service.ready.ui);
  await page.getByLabel('Name').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('autocomplete') === 'username');
  expect(await focusRing(page)).toBeGreaterThanOrEqual(3);
  await page.keyboard.type(ADMINISTRATOR.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ADMINISTRATOR.password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('a project and a pipeline are created from the page, and the pipeline is started', async () => {
  await makeRunningPipeline(page);
  expect((await orders({ orderId: 'A-1' }, 'none')).status).toBe(401);
});

test('a refused start says why', async () => {
  // A copy has the route of its original.
  await open(page, 'Pipelines');
  await page.getByRole('button', { name: 'Actions for Orders' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate pipeline' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Twin');
  await dialog.getByRole('button', { name: 'Create copy' }).click();
  await page.getByRole('dialog', { name: 'Twin was created' }).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Start Twin' }).click();
  const note = page.getByRole('alert').filter({ hasText: 'Twin was not started.' });
  await note.waitFor();
  await expect.poll(() => note.innerText()).toContain('orders');
});

test('a key is shown once, and its dialog stays open until the user ticks that it is stored', async () => {
  await open(page, 'Settings');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByRole('dialog').getByLabel('Caller').fill('Labeller L2');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Key for Labeller L2' });
  await shown.waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect.poll(() => shown.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
  const value = (await shown.getByTestId('key-value').innerText()).trim();
  await shown.getByLabel(/I have stored the key/).check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await shown.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(value);
});

test('a call from outside with a key is served, and appears in the journal without a reload', async () => {
  ({ key, curl } = await makeKey(page, 'MES line 7'));
  expect(curl).toContain('$SLUICE_API_KEY');
  expect(curl).not.toContain(key);
  expect(curl).toContain(`:${service.gatewayPort}/api/v1/orders`);
  await open(page, 'Journal');
  const rows = page.getByRole('row').filter({ hasText: 'MES line 7' });
  const before = await rows.filter({ hasText: '201' }).count();
  const answer = await orders({ orderId: 'A-204417' });
  expect(answer.status).toBe(201);
  expect(await answer.json()).toEqual({ accepted: 'A-204417' });
  expect(before).toBe(0);
  await rows.filter({ hasText: '201' }).filter({ hasText: '/api/v1/orders' }).waitFor();
});

test('a refusal is explained from its row and from its pasted request ID', async () => {
  const refused = await orders({}, 'slc_nonsense');
  const requestId = refused.headers.get('x-request-id') ?? '';
  const row = page.getByRole('row').filter({ hasText: requestId });
  await row.getByRole('button', { name: /Why was/ }).click();
  const why = page.getByRole('region', { name: 'Why was this refused?' }).first();
  await why.getByText('Refused at step 4').waitFor();
  await why.getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Caller, address, route, status, request ID').fill(requestId);
  await page.keyboard.press('Enter');
  await why.getByText('How to fix it').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
});

test('a revoked key is refused at once, and the journal says that it was revoked', async () => {
  await open(page, 'Settings');
  await page.getByRole('button', { name: 'Actions for MES line 7' }).click();
  await page.getByRole('menuitem', { name: 'Revoke key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke the key of MES line 7?' });
  await dialog.getByText('MES line 7 last used this key').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Revoke key' }).isDisabled()).toBe(true);
  await dialog.getByLabel(/safe for .* to stop/).check();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await dialog.waitFor({ state: 'detached' });

  const refused = await orders({ orderId: 'A-2' });
  expect(refused.status).toBe(401);
  const requestId = refused.headers.get('x-request-id') ?? '';
  await open(page, 'Journal');
  await page
    .getByRole('row')
    .filter({ hasText: requestId })
    .getByRole('button', { name: /Why was/ })
    .click();
  const why = page.getByRole('region', { name: 'Why was this refused?' }).first();
  await why.getByText('key_revoked').first().waitFor();
});

test('an audited action is one line in the journal', async () => {
  await page.getByRole('button', { name: 'Actions' }).click();
  const acts = page.getByRole('row').filter({ hasText: 'Key revoked' });
  await acts.first().waitFor();
  await expect.poll(() => acts.count()).toBe(1);
  await expect.poll(() => page.getByText('started, outcome unknown').count()).toBe(0);
  await page.getByText('Pipeline started: not done, 409 route_clash').waitFor();
});

test('stopping a pipeline names its route and its last caller', async () => {
  await open(page, 'Pipelines');
  await page.getByRole('button', { name: 'Stop Orders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop Orders?' });
  await dialog.getByText('/api/v1/orders').waitFor();
  await dialog.getByText('MES line 7').waitFor();
  await dialog.getByRole('button', { name: 'Stop Orders' }).click();
  await page.getByRole('button', { name: 'Start Orders' }).waitFor();
  expect((await orders({ orderId: 'A-3' })).status).toBe(STOPPED_STATUS);
});

test('German is one press away, and stays selected', async () => {
  await page.getByRole('button', { name: 'Language: English' }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('link', { name: 'Übersicht' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Übersicht' }).waitFor();
  await page.getByRole('button', { name: 'Sprache: Deutsch' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
});

test('a session that ended elsewhere leads to the log-in page', async () => {
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await logIn(page, ADMINISTRATOR);
});

test('the content security policy applies: a style without the nonce is refused, and the test sees the violation', async () => {
  const other = await openPage(browser, service.ready.ui);
  await other.page.goto(service.ready.ui);
  await other.page.evaluate(() =>
    document.head.append(Object.assign(document.createElement('style'), { textContent: 'body { opacity: 0 }' })),
  );
  await expect.poll(() => other.watch.violations.length).toBeGreaterThan(0);
  expect(await other.page.evaluate(() => getComputedStyle(document.body).opacity)).toBe('1');
  await other.close();
});

/** Width in px of the outline around the focused element. */
function focusRing(on: Page): Promise<number> {
  return on.evaluate(() => {
    const focused = document.activeElement;
    return focused === null ? 0 : Number.parseFloat(getComputedStyle(focused).outlineWidth);
  });
}
