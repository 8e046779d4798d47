import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { tempDir } from '#test/temp-dir.ts';
import { expectAccessible } from './accessible.ts';
import { type Appliance, startAppliance } from './appliance.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { writeOldRows } from './old-rows.ts';

/**
 * The Journal page: a refusal found in the list, by a pasted ID and in the live feed, and explained; verified,
 * exported; and a journal of 100,000 older rows.
 */
/** Far fewer than on a page with every row. */
const ROWS_IN_PAGE_MAX = 60;

const route = (id: string, method: string, urlPattern: string, scope: string) => ({
  id,
  kind: 'rest-api',
  settings: { mode: 'ingress', method, urlPattern, requiredScopes: [scope] },
});
const PIPELINE = {
  id: 'orders',
  name: 'Orders intake',
  nodes: [
    route('write', 'POST', '/api/v1/orders', 'db:write'),
    route('read', 'GET', '/api/v1/orders/:id', 'db:read'),
    { id: 'out', kind: 'http-response', settings: { status: 200, body: { ok: true } } },
  ],
  wires: [
    { from: 'write', port: 'out', to: 'out' },
    { from: 'read', port: 'out', to: 'out' },
  ],
};

let folder: Awaited<ReturnType<typeof tempDir>>;
let appliance: Appliance;
let page: Page;
let watch: Watch;
let key = '';

const call = (path: string, method: string, apiKey: string) =>
  fetch(`http://127.0.0.1:${appliance.service.gatewayPort}${path}`, { method, headers: { 'X-API-Key': apiKey } });

/** The request ID of a call that the key's scopes do not allow. */
async function refusedCall(): Promise<string> {
  const answer = await call('/api/v1/orders', 'POST', key);
  expect(answer.status).toBe(403);
  return answer.headers.get('x-request-id') ?? '';
}

const why = () => page.getByRole('region', { name: 'Why was this refused?' });
const rowOf = (requestId: string) => page.getByRole('row').filter({ hasText: requestId });
const searchBox = (on: Page) => on.getByLabel('Caller, address, route, status, request ID');
const facets = (on: Page) => on.getByRole('region', { name: 'Filter' });
const details = () => page.getByRole('region', { name: 'Details' });
const journal = (query: string) => `${appliance.service.ready.ui}/journal${query}`;

beforeAll(async () => {
  folder = await tempDir('sluice-journal-');
  await writeOldRows(folder.path);
  appliance = await startAppliance(['--data', folder.path]);
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.ok('POST', '/projects/line-7/pipelines', PIPELINE);
  await admin.ok('POST', '/projects/line-7/pipelines/orders/start');
  const made = await admin.ok<{ key: string }>('POST', '/projects/line-7/keys', {
    name: 'Labeller L2',
    scopes: ['tag:read', 'db:read'],
  });
  key = made.key;
  ({ page, watch } = await appliance.window('Administrator'));
});

afterAll(async () => {
  await appliance?.stop();
  await folder?.[Symbol.asyncDispose]();
});

afterEach(() => expect(watch).toEqual(CLEAN));

test('a refusal is found in the list and explained with its remedy', async () => {
  expect((await call('/api/v1/orders/7', 'GET', key)).status).toBe(200);
  await refusedCall();
  const requestId = await refusedCall();
  await page.getByRole('link', { name: 'Journal' }).click();
  await page.getByText('The chain has not been verified yet.').waitFor();
  await rowOf(requestId)
    .getByRole('button', { name: /Why was/ })
    .click();
  await why().getByText('Labeller L2 may not call POST /api/v1/orders.').waitFor();
  await why().getByText('The route requires db:write; this key holds tag:read and db:read.').waitFor();
  await why().getByText('This key may call GET /api/v1/orders/:id.').waitFor();
  await why().getByText('db:write is missing').waitFor();
  await why().getByText('6 to 11').waitFor();
  await why()
    .getByText(/^2 times since \d\d:\d\d$/)
    .waitFor();
  await expectAccessible(page, 'journal with an explanation');
  await why().getByRole('link', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'Create API key' });
  await form.getByRole('checkbox', { name: /db:write/ }).waitFor();
  await expect.poll(() => form.getByRole('checkbox', { checked: true }).count()).toBe(3);
  await form.getByRole('button', { name: 'Cancel' }).click();
});

test('a call is one line, and an action names its user', async () => {
  await page.goto(journal('?find=/api/v1/orders/:id'));
  await page.getByRole('row').filter({ hasText: '200' }).waitFor();
  await expect.poll(() => page.getByRole('row').filter({ hasText: '/api/v1/orders/7' }).count()).toBe(1);
  await page.goto(journal('?show=admin'));
  await page.getByRole('row').filter({ hasText: 'Key created' }).filter({ hasText: 'admin' }).waitFor();
});

test('a pasted request ID opens the explanation, and a consumer opens its calls', async () => {
  const requestId = await refusedCall();
  await page.goto(journal(''));
  const box = searchBox(page);
  await box.fill(` ${requestId} `);
  await page.keyboard.press('Enter');
  await why().getByText('Labeller L2 may not call').waitFor();
  await rowOf(requestId).waitFor();
  await why().getByRole('button', { name: 'Close' }).click();
  await box.fill(key);
  await page.keyboard.press('Enter');
  await page.waitForURL(/keyId=/);
  expect(page.url()).not.toContain(key);
  await page.getByRole('row').filter({ hasText: 'Labeller L2' }).first().waitFor();
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Palletiser PLC' }).count()).toBe(0);
  await facets(page).getByRole('button', { name: 'Labeller L2', pressed: true }).waitFor();
  await facets(page).getByRole('button', { name: 'Clear all' }).click();
  await page.waitForURL((url) => !url.search.includes('keyId'));
});

test('the live feed shows a refusal as it happens, can be paused, and links to it', async () => {
  await page.goto(journal(''));
  await page.getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: 'Live refusals' }).click();
  const live = page.getByRole('region', { name: 'Live refusals' });
  await live.getByText('Refusals appear here as they happen.').waitFor();
  await expect
    .poll(
      async () => {
        await refusedCall();
        return live.getByRole('button', { name: /403 scope_missing/ }).count();
      },
      // Beyond ten per minute, refusals of a type are only counted, and a later test could not find their rows.
      { interval: 1_000 },
    )
    .toBeGreaterThan(0);
  await live.getByText('POST /api/v1/orders').first().waitFor();
  await live.getByRole('button', { name: 'Pause' }).click();
  await refusedCall();
  await live.getByText(/^Paused\. \d new refusals?\.$/).waitFor();
  await expectAccessible(page, 'journal');
  await live.getByRole('button', { name: 'Resume' }).click();
  await live
    .getByRole('button', { name: /403 scope_missing/ })
    .first()
    .click();
  await why().getByText('Labeller L2 may not call').waitFor();
});

test('the callers from an address last night are found in three actions', async () => {
  await page.goto(`${appliance.service.ready.ui}/`);
  let acts = 0;
  const act = async (doing: Promise<unknown>) => {
    acts += 1;
    await doing;
  };
  await act(page.getByRole('link', { name: 'Journal' }).click());
  await act(page.getByLabel('Time range').selectOption('Last night'));
  // Typed like a user does: the text and Enter are one action.
  await act(
    searchBox(page)
      .fill('10.20.0.7')
      .then(() => page.keyboard.press('Enter')),
  );
  await facets(page)
    .getByRole('button', { name: /^Commissioning laptop [\d,]+$/ })
    .waitFor();
  expect(acts).toBeLessThanOrEqual(3);
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Palletiser PLC' }).count()).toBe(0);
  await page.getByRole('row').filter({ hasText: 'Commissioning laptop' }).first().waitFor();
  expect(new URL(page.url()).searchParams.get('range')).toBe('night');
});

test('an Engineer finds rows by part of a name, a range of addresses and a status; an empty result is not an error', async () => {
  const engineer = await appliance.window('Engineer');
  const found = async (text: string, row: string) => {
    await engineer.page.goto(journal('?range=all'));
    await searchBox(engineer.page).fill(text);
    await engineer.page.keyboard.press('Enter');
    await engineer.page.getByRole('row').filter({ hasText: row }).first().waitFor();
  };
  await found('label', 'Labeller L2');
  await found('10.20.0.0/24', 'Commissioning laptop');
  await found('429 palletiser', '429 rate_limited');
  await found('slc_Lap7', 'Commissioning laptop');
  await searchBox(engineer.page).fill('nobody has this');
  await engineer.page.keyboard.press('Enter');
  await engineer.page.getByText(/^No matching rows\./).waitFor({ timeout: 20_000 });
  expect(await engineer.page.getByRole('alert').count()).toBe(0);
  await expect.poll(() => engineer.page.getByText('RangeError').count()).toBe(0);
  expect(engineer.watch.pageErrors).toEqual([]);
  await engineer.close();
});

test('a row opens with all its fields, its run and the other calls of its caller', async () => {
  const answer = await call('/api/v1/orders/9', 'GET', key);
  const requestId = answer.headers.get('x-request-id') ?? '';
  await page.goto(journal(''));
  await rowOf(requestId)
    .getByRole('button', { name: /^Details/ })
    .click();
  await details().getByText('127.0.0.1', { exact: true }).waitFor();
  await details().getByText('GET /api/v1/orders/9').waitFor();
  await details()
    .getByText(`slc_${key.slice(4, 16)}`)
    .waitFor();
  await details()
    .getByText(/^\d+(\.\d+)? ms$/)
    .waitFor();
  await expectAccessible(page, 'journal with the details of a row');
  expect(await details().getByRole('link', { name: 'Open run' }).getAttribute('href')).toMatch(
    /^\/pipelines\/line-7\/orders\?run=/,
  );
  await details().getByRole('button', { name: 'Other calls of this caller' }).click();
  await page.waitForURL(/keyId=/);
  await details().getByRole('link', { name: 'Open run' }).click();
  await page
    .locator('.run-list')
    .getByRole('button', { name: /Labeller L2/, pressed: true })
    .waitFor();
});

test('a part of the chart is selected by dragging, and cleared again', async () => {
  await page.goto(journal('?range=all'));
  const picture = page.getByRole('region', { name: 'Calls over time' });
  await picture.getByText(/^Highest bar: [\d,]+ calls in /).waitFor();
  await picture.getByRole('button', { name: /^Refused 10,\d\d\d$/ }).waitFor();
  const box = await picture.locator('.bars').boundingBox();
  if (box === null) throw new Error('the picture has no size');
  await page.mouse.move(box.x + box.width * 0.3, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 30);
  await page.mouse.up();
  await page.waitForURL(/range=own/);
  await picture.getByRole('button', { name: /^Refused [12],\d\d\d$/ }).waitFor();
  await picture.getByRole('button', { name: /^Refused/ }).click();
  await page.waitForURL(/outcome=refused/);
  await picture.getByRole('button', { name: 'Back to the whole range' }).click();
  await page.waitForURL(/range=all/);
});

test('verifying the chain leaves a row and a proof', async () => {
  await page.goto(journal(''));
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText(/^Chain verified \d\d:\d\d:\d\d by admin: nothing altered\.$/).waitFor({ timeout: 60_000 });
  await page.getByText('Nothing was altered, removed or added.').waitFor();
  // In another browser too: the appliance stores it.
  const engineer = await appliance.window('Engineer');
  await engineer.page.goto(journal('?show=admin'));
  await engineer.page.getByText(/^Chain verified \d\d:\d\d:\d\d by admin: nothing altered\.$/).waitFor();
  await engineer.page
    .getByRole('row')
    .filter({ hasText: 'Journal verified' })
    .filter({ hasText: 'admin' })
    .first()
    .waitFor();
  const coming = engineer.page.waitForEvent('download');
  await engineer.page.getByRole('button', { name: 'Save proof' }).click();
  const proof = JSON.parse(await readFile(await (await coming).path(), 'utf8')) as Record<string, unknown>;
  expect(proof).toMatchObject({ sluiceJournalProof: 1, ok: true, by: 'admin', findingCount: 0 });
  expect(String(proof['mac'])).toMatch(/^[0-9a-f]{64}$/);
  await engineer.close();
});

/** One digit of one row, like an attacker who hides something. */
async function alterRow(requestId: string): Promise<void> {
  const chain = join(folder.path, 'journal', 'gateway');
  for (const name of await readdir(chain)) {
    const file = join(chain, name);
    const text = name.endsWith('.jsonl') ? await readFile(file, 'latin1') : '';
    const at = text.indexOf(`"requestId":"${requestId}"`);
    if (at === -1) continue;
    const handle = await open(file, 'r+');
    await handle.write('9', text.indexOf('10.20.7.18', at) + 9);
    return handle.close();
  }
  throw new Error(`no row of ${requestId}`);
}

test('an altered row is detected and reported', async () => {
  await alterRow('old-50001');
  await page.getByRole('button', { name: 'Verify now' }).click();
  const finding = page.getByRole('alert').filter({ hasText: 'The journal is not intact' });
  await finding.getByRole('listitem').first().waitFor({ timeout: 60_000 });
  await page.getByText(/^Chain verified \d\d:\d\d:\d\d by admin: \d+ findings?\.$/).waitFor();
});

test('the filtered rows are exported', async () => {
  await page.goto(journal('?find=/api/v1/orders&show=refusal'));
  await page.getByRole('row').nth(1).waitFor();
  const exported = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('menuitem', { name }).click();
    return (await readFile(await (await coming).path(), 'utf8')).trim().split(/\r?\n/);
  };
  const [head, ...lines] = await exported(/CSV/);
  expect(head).toMatch(/^time,type,requestId,/);
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(line).toContain(',scope_missing,403,');
  const rows = (await exported(/JSON Lines/)).map((line) => JSON.parse(line) as AuditRow);
  expect(rows).toHaveLength(lines.length);
  for (const row of rows)
    expect(row).toMatchObject({ type: 'refusal', route: '/api/v1/orders', code: 'scope_missing' });
});

test('with 100,000 rows, few are in the page, the oldest is reachable, and new rows do not move it', async () => {
  await page.goto(journal('?range=all'));
  await page.getByRole('row').nth(5).waitFor();
  const list = page.locator('.journal-table');
  // The last rows are added below the scroll position, so it scrolls to the end once more.
  await expect
    .poll(
      async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        const all = await page.getByText(/^End of the list: 1\d\d,\d\d\d rows\.$/).count();
        return all === 1 && (await rowOf('old-0').count()) > 0;
      },
      { timeout: 100_000, interval: 50 },
    )
    .toBe(true);
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(ROWS_IN_PAGE_MAX);

  const before = await list.evaluate((element) => element.scrollTop);
  const requestId = await refusedCall();
  await page.getByText(/^New rows: \d+\.$/).waitFor();
  expect(await list.evaluate((element) => element.scrollTop)).toBe(before);
  await expect.poll(() => rowOf(requestId).count()).toBe(0);
  await page.getByRole('status').filter({ hasText: 'New rows' }).waitFor();
  await page.locator('.new-rows').getByRole('button', { name: 'Show' }).click();
  await rowOf(requestId).waitFor();
  await rowOf('old-0').first().waitFor({ state: 'detached' });
});

test('an Engineer reads who may create a key, and a Viewer reads who may see the journal', async () => {
  const requestId = await refusedCall();
  const engineer = await appliance.window('Engineer');
  await engineer.page.goto(journal(`?why=${requestId}`));
  const explained = engineer.page.getByRole('region', { name: 'Why was this refused?' });
  await explained.getByText('Requires the permission “Manage keys”.').waitFor();
  await expect.poll(() => explained.getByRole('link', { name: 'Create key' }).count()).toBe(0);
  await engineer.page.evaluate(() => localStorage.setItem('sluice.language', 'de'));
  await engineer.page.reload();
  await engineer.page.getByText('Labeller L2 darf POST /api/v1/orders nicht aufrufen.').waitFor();
  await engineer.close();
  const viewer = await appliance.window('Viewer');
  await viewer.page.goto(journal(`?why=${requestId}`));
  await viewer.page.getByText('Only users with the permission “View the journal” can see the journal.').waitFor();
  expect(await viewer.page.getByRole('row').count()).toBe(0);
  await viewer.close();
});
