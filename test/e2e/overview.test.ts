import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '#test/until.ts';
import { expectAccessible } from './accessible.ts';
import { type Appliance, startAppliance } from './appliance.ts';
import type { Watch } from './chromium.ts';

/** The overview, and the list of pipelines: from nothing to a route that is called, and a gateway that is killed. */
const STORY_MS_MAX = 120_000;
let appliance: Appliance;
let page: Page;
let watch: Watch;
let key = '';

/** An address without a listener. */
const NOBODY = '127.0.0.1:9';
/** Returns 202 as soon as its event is stored. */
const REPORT = {
  id: 'report',
  name: 'Report',
  nodes: [
    {
      id: 'in',
      kind: 'rest-api',
      settings: { mode: 'ingress', method: 'POST', urlPattern: '/report', authType: 'none' },
    },
    {
      id: 'mes',
      kind: 'rest-api',
      settings: { mode: 'egress', url: `http://${NOBODY}/report`, method: 'POST', timeout: 2, staticHeaders: {} },
    },
    { id: 'out', kind: 'http-response', settings: {} },
  ],
  wires: [
    { from: 'in', port: 'out', to: 'mes' },
    { from: 'mes', port: 'response', to: 'out' },
    { from: 'mes', port: 'queued', to: 'out' },
  ],
};

const call = (path: string, apiKey = key) =>
  fetch(`http://127.0.0.1:${appliance.service.gatewayPort}${path}`, { headers: { 'X-API-Key': apiKey } });
const open = (place: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();

beforeAll(async () => {
  appliance = await startAppliance();
  ({ page, watch } = await appliance.window('Administrator'));
}, STORY_MS_MAX);
afterAll(() => appliance?.stop());
afterEach(() => expect(watch).toEqual({ violations: [], foreignRequests: [], pageErrors: [] }));

test('an empty appliance says what to do next, and creates the sample project', { timeout: STORY_MS_MAX }, async () => {
  await page.getByText('No pipeline publishes a route yet.').waitFor();
  await expectAccessible(page, 'empty overview');
  await page.getByRole('button', { name: 'Create sample project' }).click();
  await page.getByText('5 of 5 routes answer.').waitFor();
});

test('calls, callers and refusals appear on the overview without a reload', { timeout: STORY_MS_MAX }, async () => {
  const { admin } = appliance.service;
  const { items } = await admin.ok<{ items: { id: string }[] }>('GET', '/projects');
  const keys = `/projects/${items[0]?.id ?? ''}/keys`;
  const make = (name: string, scopes: string[]) => admin.ok<{ key: string }>('POST', keys, { name, scopes });
  ({ key } = await make('MES line 7', ['tag:read', 'db:read', 'vars:read']));
  const weak = await make('Labeller L2', []);
  for (let n = 0; n < 5; n++) expect((await call('/api/v1/sample/line')).status).toBe(200);
  for (let n = 0; n < 3; n++) expect((await call('/api/v1/sample/line', weak.key)).status).toBe(403);
  const row = page.getByRole('row', { name: /\/api\/v1\/sample\/line MES|\/api\/v1\/sample\/line Show/ });
  await row.getByText(/MES line 7|Labeller L2/).waitFor();
  await page.getByRole('region', { name: 'Callers' }).getByText('MES line 7').waitFor();
  const alarm = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  await alarm.filter({ hasText: 'Refused repeatedly' }).filter({ hasText: 'Labeller L2' }).waitFor();
  await page.getByText(/^3 of 8/).waitFor();
  await page.getByRole('button', { name: '8 h' }).click();
  await page.getByText(/^3 of 8/).waitFor();
  await expectAccessible(page, 'overview');
});

const topOf = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y ?? Number.NaN;

test(
  'busy routes come first, idle ones are collapsed into one line, and the chart is above both',
  { timeout: STORY_MS_MAX },
  async () => {
    const rows = page.getByRole('region', { name: 'Routes' }).getByRole('row');
    await rows.nth(1).getByText('/api/v1/sample/line').waitFor();
    const fold = page.getByRole('button', { name: '4 idle routes' });
    expect(await rows.count()).toBe(3);
    await fold.click();
    await expect.poll(() => rows.count()).toBe(7);
    await fold.click();
    await expect.poll(() => rows.count()).toBe(3);
    const chart = await topOf('Calls and refusals');
    expect(chart).toBeLessThan(await topOf('Routes'));
    expect(await topOf('Needs attention')).toBe(chart);
  },
);

test('refusals are compared with a fixed share until the baseline is known', { timeout: STORY_MS_MAX }, async () => {
  await page.getByText('3 of 8, normal up to 5 %').waitFor();
  await page.getByText('Usual range: still learning (0 of 3 days)').waitFor();
  expect(await page.getByRole('meter', { name: 'Refused' }).getAttribute('aria-valuetext')).toBe('37.5 %, unusual');
});

test(
  'in one column, the items that need attention come first, each alarm in one line',
  { timeout: STORY_MS_MAX },
  async () => {
    await page.setViewportSize({ width: 1024, height: 768 });
    expect(await topOf('Needs attention')).toBeLessThan(await topOf('Calls and refusals'));
    expect(await topOf('Routes')).toBeLessThan(await topOf('Callers'));
    const alarm = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first();
    expect((await alarm.boundingBox())?.height).toBeLessThan(60);
    await expectAccessible(page, 'overview in one column');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect((await alarm.boundingBox())?.height).toBeLessThan(125);
  },
);

test('an alarm opens to show its cause, and is acknowledged in its menu', { timeout: STORY_MS_MAX }, async () => {
  const alarm = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  const refused = alarm.filter({ hasText: 'Refused repeatedly' });
  const cause = refused.getByText(/Labeller L2/).last();
  await refused.getByText('Refused repeatedly', { exact: true }).click();
  await cause.waitFor();
  await refused.getByRole('link', { name: 'Show refusals' }).waitFor();
  await refused.getByRole('button', { name: 'More for: Refused repeatedly' }).click();
  await page.getByRole('menuitem', { name: 'Acknowledge', exact: true }).click();
  await refused.getByText('acknowledged by admin').waitFor();
});

test('a route whose event waits for its target shows errors', { timeout: STORY_MS_MAX }, async () => {
  const { admin } = appliance.service;
  const { items } = await admin.ok<{ items: { id: string }[] }>('GET', '/projects');
  const pipelines = `/projects/${items[0]?.id ?? ''}/pipelines`;
  await admin.ok('PATCH', '/settings', { allowedInternalTargets: [NOBODY] });
  await admin.ok('POST', pipelines, REPORT);
  await admin.ok('POST', `${pipelines}/${REPORT.id}/start`, {});
  for (let n = 0; n < 2; n++) {
    const reply = await fetch(`http://127.0.0.1:${appliance.service.gatewayPort}/report`, { method: 'POST' });
    expect(reply.status).toBe(202);
  }
  const row = page.getByRole('region', { name: 'Routes' }).getByRole('row').nth(1);
  await row.getByText('/report').waitFor();
  await row.getByText('100 %').waitFor();
  await admin.ok('POST', `${pipelines}/${REPORT.id}/stop`, {});
  await admin.ok('DELETE', `${pipelines}/${REPORT.id}`);
});

test('a killed gateway restarts by itself, and the page recovers with it', { timeout: STORY_MS_MAX }, async () => {
  const before = (await appliance.service.status()).gateway.pid ?? 0;
  process.kill(before, 'SIGKILL');
  await until('another gateway runs', async () => {
    const { pid, state } = (await appliance.service.status()).gateway;
    return state === 'running' && pid !== before;
  });
  await page.getByText('Gateway running').waitFor();
  await page.getByText('5 of 5 routes answer.').waitFor();
  expect((await call('/api/v1/sample/line')).status).toBe(200);
  await page
    .getByRole('row', { name: /\/api\/v1\/sample\/line/ })
    .getByText(/just now|s ago/)
    .first()
    .waitFor();
});

test('a new pipeline starts empty or from a template, and opens on the canvas', { timeout: STORY_MS_MAX }, async () => {
  await open('Pipelines');
  await expectAccessible(page, 'pipelines');
  await page.getByRole('link', { name: 'New pipeline' }).click();
  await page.getByLabel('Name', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Create pipeline' }).click();
  await page.getByText('The name must be 1 to 64 characters long').waitFor();
  await expectAccessible(page, 'new pipeline');
  await page.getByLabel('Name', { exact: true }).fill('Palettiser');
  await page.getByRole('radio', { name: /^An empty canvas/ }).check();
  await page.getByRole('button', { name: 'Create pipeline' }).click();
  await page.getByRole('heading', { name: 'Palettiser' }).waitFor();
  await page.getByRole('button', { name: 'Start with a template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start with a template' });
  await dialog.getByLabel('Search templates').fill('historian');
  await expect.poll(() => dialog.getByRole('radio').count()).toBe(1);
  await expectAccessible(page, 'templates');
  await dialog.getByRole('radio', { name: /^Record a value every minute/ }).check();
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await page.getByRole('button', { name: /^record,/ }).waitFor();
  expect(await page.getByText('Nothing is drawn yet').count()).toBe(0);
});

test('a Viewer sees the overview without any actions', { timeout: STORY_MS_MAX }, async () => {
  const { page: viewers, close } = await appliance.window('Viewer');
  await viewers.getByText('5 of 5 routes answer.').waitFor();
  const nav = viewers.getByRole('navigation', { name: 'Main' });
  await expect
    .poll(() => nav.getByRole('link').allInnerTexts())
    .toEqual(['Overview', 'Pipelines', 'Routes', 'Store & forward', 'Data', 'Help']);
  expect(await viewers.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  await close();
});

test('a template with incomplete settings is saved as a draft', { timeout: STORY_MS_MAX }, async () => {
  await open('Pipelines');
  await page.getByRole('link', { name: 'New pipeline' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Events');
  await page.getByLabel('Search templates').fill('store and forward');
  await page.getByRole('radio', { name: /^Forward events with store and forward/ }).check();
  await page.getByRole('button', { name: 'Create pipeline' }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await page.getByRole('button', { name: /^forward,/ }).waitFor();
  await page.getByRole('tab', { name: /^Problems \d/ }).click();
  await page.getByRole('list', { name: 'Problems' }).getByText('URL:').waitFor();
});
