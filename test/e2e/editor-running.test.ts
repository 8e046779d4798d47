import type { Locator, Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { STOPPED_STATUS } from '#common/errors/gateway-codes.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import { until } from '#test/until.ts';
import { expectAccessible } from './accessible.ts';
import { PEOPLE, type Role } from './appliance.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/**
 * Header and dock of the editor in a real Chromium on the real service, in the order of use: a draft is started,
 * tested, monitored, changed, reverted. Each test begins where the previous one ended.
 */
const PIPELINE = '/projects/line/pipelines/orders';
const ROUTE = '/api/v1/lines/:line/orders';

const appliance = applianceOfFile();
let key = '';
let page: Page;

const opened: { watch: Watch; close(): Promise<void> }[] = [];

const at = (x: number, y: number) => ({ x, y });
const node = (id: string, kind: string, name: string, position: { x: number; y: number }, settings: object) => ({
  id,
  kind,
  name,
  position,
  settings,
});
const schema = {
  type: 'object',
  required: ['orderId'],
  properties: { orderId: { type: 'string', examples: ['A-1'] } },
};

const savedTests = () => page.getByRole('button', { name: 'Saved tests' });
async function runAll(result: string): Promise<void> {
  if ((await savedTests().getAttribute('aria-expanded')) !== 'true') await savedTests().click();
  await page.getByRole('button', { name: 'Run all' }).click();
  await page.getByText(result).waitFor();
}

/** Completely visible in the window without scrolling. */
async function expectInSight(what: Locator): Promise<void> {
  const box = await what.boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  expect(box).not.toBeNull();
  if (box === null) return;
  expect([box.x >= 0, box.y >= 0, box.x + box.width <= width, box.y + box.height <= height]).toEqual([
    true,
    true,
    true,
    true,
  ]);
}

/** An order is checked, stored and answered; tests change `ingress` and `reply`. */
const orders = (ingress: object = {}, reply: object = {}) => ({
  id: 'orders',
  name: 'Orders intake',
  runAs: 'caller',
  grants: ['vars:write'],
  nodes: [
    node('in', 'rest-api', 'Orders in', at(0, 0), {
      mode: 'ingress',
      method: 'POST',
      urlPattern: ROUTE,
      requiredScopes: ['vars:write'],
      ...ingress,
    }),
    node('check', 'validate', 'Check order', at(280, 0), { schema }),
    node('keep', 'variable-write', 'Keep order', at(560, 0), { name: 'orders/last', from: 'payload.body' }),
    node('ok', 'http-response', 'Reply 201', at(840, 0), { status: 201, body: { accepted: true }, ...reply }),
    node('bad', 'http-response', 'Reply 400', at(560, 160), { status: 400 }),
  ],
  wires: [
    { from: 'in', port: 'out', to: 'check' },
    { from: 'check', port: 'out', to: 'keep' },
    { from: 'keep', port: 'out', to: 'ok' },
    { from: 'check', port: 'invalid', to: 'bad' },
  ],
});

const admin = () => appliance.service.admin;
const read = () => admin().ok<PipelineRecord>('GET', PIPELINE);
const call = (body: unknown) =>
  fetch(`http://127.0.0.1:${appliance.service.gatewayPort}/api/v1/lines/7/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify(body),
  });

async function openEditor(role: Role): Promise<{ page: Page; watch: Watch; close(): Promise<void> }> {
  const window = await appliance.window(role);
  opened.push(window);
  await show(window.page);
  return window;
}

async function show(where: Page): Promise<void> {
  await where.goto(`${appliance.service.ready.ui}/pipelines/line/orders`);
  await where.getByRole('heading', { name: 'Orders intake', level: 1 }).waitFor();
}

const tab = (name: string) => page.getByRole('tab', { name }).click();
const dialog = (where = page) => where.getByRole('dialog');

beforeAll(async () => {
  await admin().ok('POST', '/projects', { id: 'line', name: 'Filling line' });
  await admin().ok('POST', '/projects/line/pipelines', orders());
  await admin().ok('POST', `${PIPELINE}/start`, {});
  const made = await admin().ok<{ key: string }>('POST', '/projects/line/keys', {
    name: 'MES line 7',
    scopes: ['vars:write'],
  });
  key = made.key;
  expect((await call({ orderId: 'A-1' })).status).toBe(201);
  ({ page } = await openEditor('Engineer'));
});

afterEach(() => {
  for (const one of opened) expect(one.watch).toEqual(CLEAN);
});

test('a draft is started after its changes are shown, and the previous revision is one press away', async () => {
  await admin().ok('PUT', PIPELINE, orders({}, { status: 202 }));
  await show(page);
  await page.getByText('Revision 1 is running').waitFor();
  await page.getByText('Draft 2, 1 change').waitFor();
  await page.getByRole('button', { name: 'Start draft 2' }).click();
  await dialog().getByText('Reply 201 returns 202 instead of 201.').waitFor();
  await dialog().getByText('MES line 7').waitFor();
  await expectAccessible(page, 'start dialog');
  await dialog().getByRole('button', { name: 'Start draft 2' }).click();
  await page.getByText('Revision 2 is running').first().waitFor();
  expect((await call({ orderId: 'A-2' })).status).toBe(202);
  await page.getByRole('button', { name: 'Back to revision 1' }).click();
  await page.getByText('Revision 1 is running').first().waitFor();
  expect((await call({ orderId: 'A-3' })).status).toBe(201);
});

async function expectNoStart(): Promise<void> {
  const start = dialog().getByRole('button', { name: /^Start draft/ });
  await expect.poll(() => start.isDisabled()).toBe(true);
}

test('a start that grants more than was approved says who may perform it', async () => {
  await admin().ok('PUT', PIPELINE, orders({ authType: 'none' }));
  await show(page);
  await page.keyboard.press('Control+Shift+Enter');
  await dialog().getByText('Orders in is a public route: no key is needed.').waitFor();
  await dialog().getByText('Ask an Administrator.').waitFor();
  await expectNoStart();
  await page.keyboard.press('Escape');
});

test('errors prevent the start, and each links to its node', async () => {
  await admin().ok('PUT', PIPELINE, orders({}, { status: 99 }));
  await show(page);
  await page.getByRole('button', { name: /^Start draft/ }).click();
  const errors = dialog().getByRole('alert');
  await errors.getByText('These errors prevent the start').waitFor();
  await expectNoStart();
  await errors.getByRole('button', { name: 'Show Reply 201' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: /^Problems \d/ }).waitFor();
});

test('a page without changes shows a revision that another user saved, with a message', async () => {
  const before = await read();
  await admin().ok('PUT', PIPELINE, orders({}, { status: 202 }));
  const revision = before.revision + 1;
  await page.getByText(`${PEOPLE.Administrator.name} saved revision ${revision}. It is shown now.`).waitFor();
  await page.getByText(new RegExp(`^Draft ${revision}`)).waitFor();
  expect(await page.getByText('while you were editing').count()).toBe(0);
});

test('a version that another user saved in the meantime is not overwritten without a confirmation', async () => {
  const before = await read();
  // Saves of this page are blocked, so its change is still unsaved when the other user's arrives.
  const saves = '**/pipelines/orders?passing=true';
  await page.route(saves, (route) => route.abort());
  const name = page.getByRole('complementary', { name: 'Settings' }).getByLabel('Name', { exact: true });
  await name.fill('Orders at line 7');
  await name.press('Enter');
  await admin().ok('PUT', PIPELINE, orders({ requiredScopes: [] }));
  await page.unroute(saves);
  const who = PEOPLE.Administrator.name;
  const strip = page.getByText(`${who} saved revision ${before.revision + 1} while you were editing`);
  await strip.waitFor();
  await page.getByRole('button', { name: 'Compare with mine' }).click();
  await dialog().getByText(`Callers of POST ${ROUTE} no longer need vars:write.`).waitFor();
  await dialog().getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Use their version' }).click();
  await strip.waitFor({ state: 'detached' });
});

test('a problem is fixed by its button, and the fix is undone and redone by name', async () => {
  const row = page.getByRole('listitem').filter({ hasText: 'Needs vars:write, but the route does not require it.' });
  await tab('Problems');
  await row.waitFor();
  await expectAccessible(page, 'problems');
  await row.getByRole('button', { name: 'Require vars:write' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo: fix Keep order' }).click();
  await row.waitFor();
  await page.getByRole('button', { name: 'Redo: fix Keep order' }).click();
  await row.waitFor({ state: 'detached' });
  await expect.poll(async () => (await read()).nodes[0]?.settings['requiredScopes']).toEqual(['vars:write']);
});

test('a test runs the actual draft, even a failing one, and saved tests run together', async () => {
  await page.keyboard.press('Control+Enter');
  await page.getByText('The test has real effects: writes the variable orders/last.').waitFor();
  // In each tab of the request, the button and the editor for the body are visible.
  for (const part of ['Path', 'Query', 'Headers', 'Body']) {
    await page.getByRole('tab', { name: part, exact: true }).click();
    await expectInSight(page.getByRole('button', { name: 'Run test' }));
    if (part === 'Path') await page.getByLabel('Path parameter line').fill('7');
  }
  await expectInSight(page.getByRole('textbox', { name: 'Body, JSON' }));
  expect(await page.getByLabel('Run with the rights of').inputValue()).toBe('route');
  await page.getByRole('button', { name: 'Run test' }).click();
  const result = page.locator('.result-pane');
  await result.getByText('201', { exact: true }).waitFor();
  await result.getByText('"accepted": true').waitFor();
  await result.getByText(/curl -i .*\/api\/v1\/lines\/7\/orders/).waitFor();
  await savedTests().click();
  await page.getByRole('button', { name: 'Save as test' }).click();
  const naming = page.getByRole('dialog', { name: 'Save as test' });
  await naming.getByLabel('Test name').fill('Good order');
  await naming.getByRole('button', { name: 'Save as test' }).click();
  await naming.waitFor({ state: 'detached' });
  await until('the test is stored with the pipeline', async () => (await read()).tests?.[0]?.name === 'Good order');
  await runAll('1 of 1 as expected');
  await expectAccessible(page, 'test');
  await page.keyboard.press('Escape');
  expect((await call({ orderId: 7 })).status).toBe(400);
  await tab('Runs');
  await page.getByRole('list', { name: 'Runs' }).getByRole('button', { name: / 400 / }).click();
  await page.getByRole('button', { name: 'Test with this message' }).click();
  await page.getByRole('button', { name: 'Run test' }).click();
  await result.getByText('400', { exact: true }).waitFor();
});

test('a part is tested: up to a node, with a pinned value, one node alone; effects are those of the part', async () => {
  const result = page.locator('.result-pane');
  const extent = page.getByLabel('Part of the pipeline to test');
  const run = () => page.getByRole('button', { name: 'Run test' }).click();
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await page.locator('.react-flow__node').filter({ hasText: 'Check order' }).click();
  await tab('Test');
  await page.getByRole('button', { name: 'Insert a sample' }).click();
  await extent.selectOption('Up to Check order');
  await page.getByText('The test writes nothing outside the pipeline.').waitFor();
  await run();
  await result.getByText('Ended without a reply').waitFor();
  await page.getByRole('button', { name: 'All nodes of this run' }).click();
  const steps = page.getByRole('list', { name: 'Nodes in this run' }).getByRole('button');
  await expect.poll(() => steps.count()).toBe(2);
  await steps.filter({ hasText: 'Check order' }).click();
  await page.getByRole('button', { name: 'Pin this value' }).click();
  await extent.selectOption('Whole pipeline');
  await page.getByText('The test has real effects: writes the variable orders/last.').waitFor();
  await page.getByRole('textbox', { name: 'Body, JSON' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText('{"orderId": 7}');
  await run();
  await result.getByText('201', { exact: true }).waitFor();
  await expectAccessible(page, 'test with a pinned node');
  await page.getByRole('button', { name: 'Unpin Check order' }).click();
  await run();
  await result.getByText('400', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'All nodes of this run' }).click();
  await steps.filter({ hasText: 'Check order' }).click();
  await page.getByRole('button', { name: 'Run only this node' }).click();
  await expect.poll(() => extent.locator('option:checked').innerText()).toBe('Only Check order');
  await expect.poll(() => page.getByRole('textbox', { name: 'Payload, JSON' }).innerText()).toContain('"orderId": 7');
  await run();
  await result.getByText('Ended without a reply').waitFor();
  await extent.selectOption('Whole pipeline');
  await page.getByRole('button', { name: 'Insert a sample' }).click();
});

test('a run shows the input and output of each node to users who may edit pipelines', async () => {
  await tab('Runs');
  const called = page.getByRole('list', { name: 'Runs' }).getByRole('button', { name: /MES line 7/ });
  await called.first().waitFor();
  const before = await called.count();
  await call({ orderId: 'A-77' });
  await called.nth(before).waitFor();
  await called.first().click();
  await page
    .getByRole('list', { name: 'Nodes in this run' })
    .getByRole('button', { name: /Keep order/ })
    .click();
  await page.getByText('"orderId": "A-77"').waitFor();
  await page.getByRole('button', { name: 'Output' }).click();
  await page.getByText('"orderId": "A-77"').waitFor();
  await expectAccessible(page, 'runs');
  await page.getByRole('button', { name: 'Test with this message' }).click();
  await page.getByText('A-77').first().waitFor();
  const viewer = await openEditor('Viewer');
  await viewer.page.getByRole('tab', { name: 'Runs' }).click();
  await viewer.page.getByRole('list', { name: 'Runs' }).getByRole('button').first().click();
  await viewer.page.getByText('Only users with the permission “Edit pipelines” can see payloads.').waitFor();
  expect(await viewer.page.getByText('A-77').count()).toBe(0);
  expect(await viewer.page.getByRole('button', { name: /^(Start|Stop|Undo|Test)/ }).count()).toBe(0);
  await viewer.close();
});

test('any two revisions are compared, and an older one is restored', async () => {
  await tab('Changes');
  await page.getByRole('table', { name: 'Revisions' }).waitFor();
  await page.getByRole('button', { name: 'Compare revision 2' }).click();
  await dialog().getByLabel('To').selectOption({ label: 'Revision 1, running' });
  await dialog().getByText('Reply 201 returns 201 instead of 202.').waitFor();
  await dialog().getByText('"status": 202').waitFor();
  await expectAccessible(page, 'compare');
  await dialog().getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Restore revision 2' }).click();
  await dialog().getByRole('button', { name: 'Restore revision 2' }).click();
  await page.getByText(/Revision 2 is now draft/).waitFor();
  expect((await read()).nodes[3]?.settings['status']).toBe(202);
  await expectAccessible(page, 'changes');
});

test('an Operator starts and stops pipelines but does not draw', async () => {
  const { page: theirs, close } = await openEditor('Operator');
  expect(await theirs.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  const { revision } = await read();
  await theirs.getByRole('button', { name: `Start revision ${revision}` }).click();
  await dialog(theirs)
    .getByRole('button', { name: `Start revision ${revision}` })
    .click();
  await theirs.getByText(`Revision ${revision} is running`).first().waitFor();
  await theirs.getByRole('button', { name: 'Stop', exact: true }).click();
  await dialog(theirs).getByText(`Its routes return ${STOPPED_STATUS} until`).waitFor();
  await dialog(theirs).getByText('MES line 7').waitFor();
  await dialog(theirs).getByRole('button', { name: 'Stop Orders intake' }).click();
  await theirs.getByText(`routes return ${STOPPED_STATUS}`, { exact: true }).waitFor();
  expect((await call({ orderId: 'A-4' })).status).toBe(STOPPED_STATUS);
  await close();
});

test('the page stays usable while the gateway is down, shows a message, and continues automatically', async () => {
  await admin().ok('POST', `${PIPELINE}/start`, {});
  await page
    .getByText(/^Revision \d+ is running$/)
    .first()
    .waitFor();
  const { gateway } = await appliance.service.status();
  const bar = page.locator('.version').first();
  const away = bar.getByText(/^Gateway (starting|down)$/).waitFor();
  process.kill(gateway.pid ?? 0, 'SIGKILL');
  await away;
  await bar.getByText(/^since /).waitFor();
  expect((await appliance.service.status()).gateway.pid).not.toBe(gateway.pid);
  await page.getByRole('tab', { name: 'Test' }).click();
  await page.getByRole('button', { name: 'Run test' }).click();
  await page.locator('.test-outcome').waitFor();
});

test('a node that returns errors as 200 is a problem of the running revision, here and in the list, until a fixed revision runs', async () => {
  await admin().ok('PUT', PIPELINE, orders({}, { status: 200, body: { error: 'no stock' } }));
  await admin().ok('POST', `${PIPELINE}/start`, {});
  await show(page);
  await tab('Test');
  await page.getByRole('button', { name: 'Run test' }).click();
  await page.getByText('The body contains “error”, but the status is 200.').waitFor();
  await tab('Problems');
  expect((await call({ orderId: 'A-5' })).status).toBe(200);
  const row = page.getByRole('listitem').filter({ hasText: 'Reply 201' });
  await row.getByText('Returned 200 with "error" in the body once since the running revision was started.').waitFor();
  await expectAccessible(page, 'a problem of what runs');
  await page.goto(`${appliance.service.ready.ui}/pipelines`);
  await page.getByText('Errors as 200').waitFor();
  await page.getByText('ok: 200 with "error" in the body, once').waitFor();

  await show(page);
  await row.getByText('Returned 200 with "error"').waitFor();
  await admin().ok('PUT', PIPELINE, orders());
  await admin().ok('POST', `${PIPELINE}/start`, {});
  await row.getByText('Returned 200 with "error"').waitFor({ state: 'detached' });
  expect((await call({ orderId: 'A-6' })).status).toBe(201);
  expect((await read()).errorsWith200).toEqual([]);
});

test('users see which others have the pipeline open, until these leave', async () => {
  const [engineer, administrator] = [PEOPLE.Engineer.name, PEOPLE.Administrator.name];
  // Windows of earlier tests may be open too.
  const other = (on: Page, name: string) => on.getByRole('button', { name: new RegExp(`^Also open here: .*${name}`) });
  await show(page);
  const { page: theirs, close } = await openEditor('Administrator');
  await other(page, administrator).click();
  // A page that is loaded again is the same window.
  expect(await other(page, engineer).count()).toBe(0);
  const list = page.getByRole('dialog', { name: 'Also open here' });
  await list
    .getByRole('listitem')
    .filter({ hasText: administrator })
    .getByText(/^since \d\d:\d\d$/)
    .waitFor();
  await expectAccessible(page, 'who else has the pipeline open');
  await page.keyboard.press('Escape');
  await other(theirs, engineer).waitFor();
  await theirs.getByRole('link', { name: 'Pipelines' }).first().click();
  await other(page, administrator).waitFor({ state: 'detached' });
  await close();
});
