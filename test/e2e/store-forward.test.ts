import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { expectAccessible } from './accessible.ts';
import { countClicks } from './counted-clicks.ts';
import { CLEAN, openBrowser, openPage, type TestBrowser, type Watch } from './chromium.ts';
import { ADMINISTRATOR, logIn, logOut, open, setUp } from './steps.ts';

/**
 * Store and forward in a real Chromium on the real service, with a small HTTP server as the target, in the order of
 * use: each test begins where the previous one ended.
 */
/** A rehearsal blocks for 60 s. */
const REHEARSAL_MS_MAX = 150_000;
/** The drain rate applies to events that have waited for more than 2 s. */
const BACKLOG_MS = 4_000;
const VIEWER = { name: 'V. Iewer', password: 'looks and touches nothing' };

interface Taken {
  path: string;
  key: string;
  body: string;
  status: number;
}

let service: TestService;
let browser: TestBrowser;
let page: Page;
let watch: Watch;
let mes: Server;
let name = '';
/** The response of the target: status and text. */
let answer: (body: string, token: string) => [status: number, text: string] = () => [200, ''];
const taken: Taken[] = [];
const delivered = () => taken.filter(({ status }) => status === 200);

/** An order through the published route; 202 if it is stored, 200 if the target accepted it. */
const order = (orderId: string) =>
  fetch(`http://127.0.0.1:${service.gatewayPort}/api/v1/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ orderId }),
  });

async function startTarget(): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const [status, text] = answer(body, request.headers.authorization ?? '');
      taken.push({ path: request.url ?? '', key: String(request.headers['idempotency-key']), body, status });
      response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const intake = (port: number) => ({
  id: 'orders',
  name: 'Orders intake',
  nodes: [
    {
      id: 'in',
      kind: 'rest-api',
      settings: { mode: 'ingress', method: 'POST', urlPattern: '/api/v1/orders', authType: 'none' },
    },
    {
      id: 'mes',
      kind: 'rest-api',
      settings: {
        mode: 'egress',
        url: `http://127.0.0.1:${port}/mes/orders`,
        method: 'POST',
        staticHeaders: { Authorization: 'Bearer of-april' },
        timeout: 10,
      },
    },
    { id: 'out', kind: 'http-response', settings: {} },
    { id: 'refused', kind: 'http-response', settings: { status: 502 } },
  ],
  wires: [
    { from: 'in', port: 'out', to: 'mes' },
    { from: 'mes', port: 'response', to: 'out' },
    { from: 'mes', port: 'queued', to: 'out' },
    { from: 'mes', port: 'error', to: 'refused' },
  ],
});

beforeAll(async () => {
  mes = await startTarget();
  const { port } = mes.address() as AddressInfo;
  name = `127.0.0.1:${port}`;
  service = await startService();
  browser = await openBrowser();
  ({ page, watch } = await openPage(browser, service.ready.ui, { acceptDownloads: true }));
  const token = (await readFile(service.ready.setupTokenFile ?? '', 'utf8')).trim();
  await setUp(page, service.ready.ui, token, ADMINISTRATOR);
  await service.admin.logIn(ADMINISTRATOR.name, ADMINISTRATOR.password);
  await service.admin.ok('PATCH', '/settings', { allowedInternalTargets: [name] });
  await service.admin.ok('POST', '/users', { ...VIEWER, roles: ['Viewer'] });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  mes?.close();
  mes?.closeAllConnections();
});

afterEach(() => expect(watch).toEqual(CLEAN));

const urgent = () => page.getByRole('region', { name: `${name} refuses calls` });
const targetRow = () =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `More actions for ${name}` }) });
const ACTS = ['Pause', 'Resume', 'Rehearse', 'Retry', 'Edit', 'More actions for the event', 'Import', 'Export'];
const actsNamed = (act: string) => {
  const starts = new RegExp(`^${act}`);
  return page
    .getByRole('button', { name: starts })
    .or(page.getByRole('link', { name: starts }))
    .count();
};
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

test('before any pipeline calls a target, the page explains what to do; then it shows the target', async () => {
  await open(page, 'Store & forward');
  await page.getByText('No targets yet').waitFor();
  await page.getByRole('link', { name: 'Open Pipelines' }).waitFor();
  const { port } = mes.address() as AddressInfo;
  await service.admin.ok('POST', '/projects', { id: 'line-2', name: 'Filling line 2' });
  await service.admin.run('line-2', intake(port));
  await targetRow().filter({ hasText: 'Ready' }).waitFor();
  await page.getByText('Nothing is waiting: every event was delivered').waitFor();
  expect((await order('A-1')).status).toBe(200);
});

test('a 401 pauses the target: the problem, the waiting events and the remedy are shown on every page', async () => {
  answer = () => [401, 'token expired'];
  expect((await order('B-1')).status).toBe(202);
  expect((await order('B-2')).status).toBe(202);
  await page.getByRole('heading', { name: `${name} refuses calls: 401 Unauthorized` }).waitFor();
  await urgent().getByText('token expired').waitFor();
  await page.getByText('2 events are waiting. Nothing is lost.').waitFor();
  await targetRow().filter({ hasText: 'Paused, 401' }).filter({ hasText: 'When resumed' }).waitFor();
  await open(page, 'Pipelines');
  await page.getByRole('link', { name: 'Enter new token' }).click();
  await page
    .getByRole('dialog', { name: `New token for ${name}` })
    .getByRole('button', { name: 'Close' })
    .click();
  await urgent().getByRole('button', { name: 'Enter new token' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('one event is sent on request, and its response is shown', async () => {
  await urgent().getByRole('button', { name: 'Send one event' }).click();
  await said(`One event was sent: ${name} responded with 401 Unauthorized. The event is still waiting.`);
});

test('the backlog over time comes from the service, also for a page that has just been opened', async () => {
  const line = page
    .getByRole('img', { name: `2 events waiting for ${name}.` })
    .locator('path.line')
    .last();
  // A page that counted for itself would have one point when it opens.
  const points = async () => (await line.getAttribute('d'))?.match(/[ML]/g)?.length ?? 0;
  await expect.poll(points, { timeout: 30_000 }).toBeGreaterThan(1);
  await page.reload();
  await expect.poll(points, { timeout: 5_000 }).toBeGreaterThan(1);
  await urgent().getByRole('button', { name: '7 d' }).click();
  // A single point is a flat line, which has no height to be visible.
  await line.waitFor({ state: 'attached' });
  await expectAccessible(page, 'backlog of 7 days');
});

test('a new token is entered here and tried with one event, and the other events are sent', async () => {
  answer = (_body, token) => (token === 'Bearer of-may' ? [200, ''] : [401, 'token expired']);
  await urgent().getByRole('button', { name: 'Enter new token' }).click();
  const dialog = page.getByRole('dialog', { name: `New token for ${name}` });
  await dialog.getByText('It is saved in: Orders intake, mes.').waitFor();
  await dialog.getByLabel('New value of Authorization').fill('Bearer of-june');
  await dialog.getByRole('button', { name: 'Send one event with it' }).click();
  await dialog.getByText(`${name} did not accept the event: 401 Unauthorized. It is still waiting.`).waitFor();
  await dialog.getByLabel('New value of Authorization').fill('Bearer of-may');
  await dialog.getByRole('button', { name: 'Send one event with it' }).click();
  await dialog.getByText(`${name} accepted one event with the new token. 1 event still waiting.`).waitFor();
  await expectAccessible(page, 'new token');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const calm = page.getByRole('region', { name: `${name} accepted one event and is still paused` });
  await targetRow().filter({ hasText: 'Paused; last attempt delivered' }).waitFor();
  expect(await calm.getByRole('button', { name: 'Enter new token' }).count()).toBe(0);
  await calm.getByRole('button', { name: 'Resume' }).click();
  await said(`${name} receives calls again`);
  await page.getByText('Nothing is waiting: every event was delivered').waitFor();
  await urgent().waitFor({ state: 'detached' });
  expect(delivered().map(({ body }) => body)).toEqual(
    ['A-1', 'B-1', 'B-2'].map((orderId) => `{"orderId":"${orderId}"}`),
  );
});

test('a 401 is repaired in three clicks from the Overview', async () => {
  answer = (_body, token) => (token === 'Bearer of-july' ? [200, ''] : [401, 'token expired']);
  expect((await order('B-3')).status).toBe(202);
  await open(page, 'Overview');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('The target refuses calls (401)').waitFor();
  const counted = await countClicks(page);
  await attention.getByRole('link', { name: 'Enter new token' }).click();
  const dialog = page.getByRole('dialog', { name: `New token for ${name}` });
  // The field has the focus without a click.
  await dialog.locator('input:focus').waitFor();
  await page.keyboard.type('Bearer of-july');
  await dialog.getByRole('button', { name: 'Send one event with it' }).click();
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await said(`${name} receives calls again`);
  expect(await counted()).toBeLessThanOrEqual(3);
  await urgent().waitFor({ state: 'detached' });
  expect(delivered().at(-1)?.body).toBe('{"orderId":"B-3"}');
});

test('a 400 creates a dead letter, which shows the event and the reason of the refusal', async () => {
  answer = (body) => (body.includes('EUR9') ? [400, 'unknown pallet type'] : [200, '']);
  expect((await order('EUR9')).status).toBe(502);
  await page.getByText('1 dead letter needs a decision.').waitFor();
  const row = page.getByRole('row').filter({ hasText: '400 Bad Request' });
  await row.filter({ hasText: 'unknown pallet type' }).filter({ hasText: 'from Orders intake' }).waitFor();
  await row.getByRole('button', { name: /^Inspect event/ }).click();
  const dialog = page.getByRole('dialog', { name: `Event for ${name}` });
  await dialog.getByText('{"orderId":"EUR9"}').waitFor();
  expect(await dialog.innerText()).not.toContain('of-april');
  const tries = dialog.getByRole('region', { name: 'Attempts' }).getByRole('listitem');
  expect(await tries.count()).toBe(1);
  await tries.filter({ hasText: '400 Bad Request' }).filter({ hasText: 'unknown pallet type' }).waitFor();
  await expectAccessible(page, 'event with its attempts');
  await dialog.getByRole('button', { name: 'Close' }).click();
});

test('all listed dead letters are retried with their number named, and discarded after a confirmation', async () => {
  const listed = (act: string) =>
    page
      .getByRole('button', { name: 'Actions for all listed events' })
      .click()
      .then(() => page.getByRole('menuitem', { name: act }).click());
  expect((await order('EUR9-b')).status).toBe(502);
  await page.getByText('2 dead letters need a decision.').waitFor();
  // A third dead letter in a row, without a delivery in between, would pause the target.
  expect((await order('good-1')).status).toBe(200);
  await listed('Retry all listed events');
  const retry = page.getByRole('dialog', { name: 'Retry 2 dead letters?' });
  await retry.getByText('They return to their places in the queues of their targets').waitFor();
  await expectAccessible(page, 'retry of many');
  await retry.getByRole('button', { name: 'Retry', exact: true }).click();
  await retry.getByText('2 events are waiting for delivery again.').waitFor();
  await retry.getByRole('button', { name: 'Close' }).click();
  await page.getByText('2 dead letters need a decision.').waitFor();
  await page
    .getByRole('button', { name: /^Inspect event/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: `Event for ${name}` });
  const tries = dialog.getByRole('region', { name: 'Attempts' }).getByRole('listitem');
  await expect.poll(() => tries.count()).toBe(2);
  await tries
    .first()
    .getByText(/^Next attempt after /)
    .waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await listed('Discard all listed events');
  const discard = page.getByRole('dialog', { name: 'Discard 2 events?' });
  await expect.poll(() => discard.getByRole('button', { name: 'Discard', exact: true }).isDisabled()).toBe(true);
  await discard.getByLabel('These events are no longer needed.').check();
  await discard.getByRole('button', { name: 'Discard', exact: true }).click();
  await discard.getByText('2 events were discarded.').waitFor();
  await discard.getByRole('button', { name: 'Close' }).click();
  await page.getByText('No dead letters.').waitFor();
  // For the tests that follow.
  expect((await order('good-2')).status).toBe(200);
  expect((await order('EUR9')).status).toBe(502);
  await page.getByText('1 dead letter needs a decision.').waitFor();
});

test('a backlog shows its progress while it is sent', async () => {
  const { admin } = service;
  answer = () => [200, ''];
  const { items } = await admin.ok<{ items: { id: string; target: string }[] }>('GET', '/egress/targets');
  const { id = '', target = '' } = items[0] ?? {};
  await admin.ok('PATCH', '/settings', { egressDrainRate: 1 });
  await admin.ok('POST', `/egress/targets/${id}/pause`, {});
  const orders = Array.from({ length: 14 }, (_, n) => order(`D-${n}`));
  for (const reply of await Promise.all(orders)) expect(reply.status).toBe(202);
  const query = `/egress/backlog?target=${encodeURIComponent(target)}`;
  await until('the service has seen the backlog', async () => {
    const { waiting } = await admin.ok<{ waiting: { values: (number | null)[] } }>('GET', query);
    return waiting.values.includes(14);
  });
  // The rate is that of events which have waited for a while; newer ones are sent at once.
  await until('the events count as a backlog', async () => {
    const { items: targets } = await admin.ok<{ items: { oldestAt: string | null }[] }>('GET', '/egress/targets');
    return Date.now() - Date.parse(targets[0]?.oldestAt ?? '') > BACKLOG_MS;
  });
  await admin.ok('POST', `/egress/targets/${id}/resume`, {});
  await page.getByText(/^\d+ of 14 sent, \d+ left$/).waitFor();
  await admin.ok('PATCH', '/settings', { egressDrainRate: 250 });
  await page.getByText('Nothing is waiting').waitFor();
});

test('an export and an import bring a discarded dead letter back', async () => {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await (await download).path();
  expect(await readFile(file, 'utf8')).not.toContain('of-april');

  await page.getByRole('button', { name: /^More actions for the event/ }).click();
  await page.getByRole('menuitem', { name: 'Discard' }).click();
  const dialog = page.getByRole('dialog', { name: `Discard this event for ${name}?` });
  await expect.poll(() => dialog.getByRole('button', { name: 'Discard event' }).isDisabled()).toBe(true);
  await dialog.getByLabel(/can do without this event/).check();
  await dialog.getByRole('button', { name: 'Discard event' }).click();
  await said('The event was discarded.');
  await page.getByText('No dead letters.').waitFor();

  await page.locator('input[type=file]').setInputFiles(file);
  await said('1 event was imported as a dead letter.');
  await page.getByRole('button', { name: /^Inspect event/ }).waitFor();
});

test('a user with view rights sees the state, but neither contents nor buttons for actions', async () => {
  await logOut(page, ADMINISTRATOR);
  await logIn(page, VIEWER);
  await open(page, 'Store & forward');
  await targetRow().waitFor();
  await page.getByRole('button', { name: /^Inspect event/ }).click();
  const dialog = page.getByRole('dialog', { name: `Event for ${name}` });
  await dialog.getByText('Only users with the permission “Edit pipelines” can see the content.').waitFor();
  expect(await dialog.innerText()).not.toContain('EUR9');
  for (const act of ACTS) expect(await actsNamed(act), act).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  for (const act of ACTS) expect(await actsNamed(act), act).toBe(0);

  await logOut(page, VIEWER);
  await logIn(page, ADMINISTRATOR);
  await open(page, 'Store & forward');
  await targetRow().waitFor();
  for (const act of ['Pause', 'Rehearse', 'Retry', 'Import', 'Export'])
    await expect.poll(() => actsNamed(act), { message: act }).toBeGreaterThan(0);
});

test('a dead letter is corrected, retried and delivered under a new key', async () => {
  await page.getByRole('button', { name: /^More actions for the event/ }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: `Edit the event for ${name}` });
  await expect.poll(() => dialog.getByRole('button', { name: 'Save and retry' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Path and query').fill('no path');
  await dialog.getByLabel('Body').fill('{"orderId":"EUR1"}');
  await dialog.getByText('The path must start with /').waitFor();
  await dialog.getByLabel('Path and query').fill('/mes/orders?mended=1');
  await dialog.getByRole('button', { name: 'Save and retry' }).click();
  await said('The event is waiting for delivery again');
  await page.getByText('No dead letters.').waitFor();
  const mended = await until('the corrected event arrives', () =>
    delivered().find(({ body }) => body.includes('EUR1')),
  );
  expect(mended.path).toBe('/mes/orders?mended=1');
  expect(mended.key).not.toBe(taken.find(({ status }) => status === 400)?.key);
});

test(
  'a rehearsal blocks the target, shows the growing backlog, and ends with the proof that nothing was lost',
  { timeout: REHEARSAL_MS_MAX },
  async () => {
    const before = delivered().length;
    await page.getByRole('button', { name: `Rehearse an outage of ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Rehearse an outage of ${name}?` });
    await dialog.getByText('Orders intake: runs that wait').waitFor();
    await dialog.getByLabel(`Everyone who relies on ${name} has been informed.`).check();
    await dialog.getByRole('button', { name: 'Block for 60 s' }).click();
    const panel = page.getByRole('region', { name: `Rehearsal: ${name}` });
    await panel.getByText(/is blocked for another \d+ s/).waitFor();
    await targetRow().filter({ hasText: 'Blocked (rehearsal)' }).waitFor();

    const sent: string[] = [];
    for (let number = 1; number <= 12; number++) {
      sent.push(`{"orderId":"R-${number}"}`);
      expect((await order(`R-${number}`)).status).toBe(202);
    }
    await panel
      .locator('div')
      .filter({ hasText: /^Waiting now12$/ })
      .waitFor();
    expect(delivered()).toHaveLength(before);
    await panel
      .getByText('12 accepted while blocked, 12 delivered, 0 lost, 0 out of order')
      .waitFor({ timeout: REHEARSAL_MS_MAX });
    await panel.getByText('Nothing was lost or delivered out of order.').waitFor();
    expect(
      delivered()
        .slice(before)
        .map(({ body }) => body),
    ).toEqual(sent);
    await panel.getByRole('button', { name: `Close the rehearsal of ${name}` }).click();
    await panel.waitFor({ state: 'detached' });
  },
);
