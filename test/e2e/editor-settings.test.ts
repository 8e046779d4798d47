import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KindManifest } from '#common/control/messages.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import { until } from '#test/until.ts';
import { expectAccessible } from './accessible.ts';
import { startAppliance, type Appliance } from './appliance.ts';
import type { Watch } from './chromium.ts';

/**
 * The settings panel of the editor on the real service: forms generated from the schemas of the kinds, and the code
 * field.
 */
const STORY_MS_MAX = 120_000;
const SECRET = 'Bearer 7f3c-plant-north';

let appliance: Appliance;
let page: Page;
let watch: Watch;

beforeAll(async () => {
  appliance = await startAppliance();
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.ok('POST', '/projects/line-7/queries', {
    id: 'order-by-id',
    sql: 'SELECT :id AS id',
    params: [{ name: 'id' }],
  });
  await make('orders', ORDERS, WIRES);
  ({ page, watch } = await appliance.window('Engineer'));
}, STORY_MS_MAX);

afterAll(() => appliance?.stop());

afterEach(() => {
  expect(watch).toEqual({ violations: [], foreignRequests: [], pageErrors: [] });
});

const node = (id: string, kind: string, settings: object, x: number) => ({
  id,
  kind,
  position: { x, y: 0 },
  settings,
});
const ORDERS = [
  node('in', 'rest-api', { mode: 'ingress', method: 'POST', urlPattern: '/api/v1/orders' }, 0),
  node('way', 'switch', { path: 'payload.body.priority', cases: [{ port: 'urgent', operator: 'ge', value: 8 }] }, 280),
  node('row', 'transform', { code: 'export default (msg) => ({ status: 201, body: null })\n' }, 560),
  node('find', 'named-query', { query: 'order-by-id', params: { id: '{{payload.body.id}}' } }, 840),
  node(
    'erp',
    'rest-api',
    { mode: 'egress', url: 'https://erp.example:8443/x', method: 'POST', staticHeaders: {}, timeout: 5 },
    1120,
  ),
  node('reply', 'http-response', {}, 1400),
];
const WIRES = [
  { from: 'in', port: 'out', to: 'way' },
  { from: 'way', port: 'urgent', to: 'row' },
  { from: 'row', port: 'out', to: 'find' },
  { from: 'find', port: 'out', to: 'reply' },
];

const make = (id: string, nodes: readonly object[], wires: readonly object[] = []) =>
  appliance.service.admin.ok('POST', '/projects/line-7/pipelines', { id, name: id, nodes, wires });

const saved = (id: string) => appliance.service.admin.ok<PipelineRecord>('GET', `/projects/line-7/pipelines/${id}`);

async function settingsOf(id: string, of: string): Promise<Record<string, unknown>> {
  return (await saved(id)).nodes.find((one) => one.id === of)?.settings ?? {};
}

const panel = (): Locator => page.getByRole('complementary', { name: 'Settings' });
const field = (name: string): Locator => panel().getByLabel(name, { exact: true });

/** Opens the editor with this node chosen. */
async function open(pipeline: string, of: string, wanted?: string): Promise<void> {
  const at = wanted === undefined ? '' : `&field=${wanted}`;
  await page.goto(`${appliance.service.ready.ui}/pipelines/line-7/${pipeline}?node=${of}${at}`);
  await panel().getByRole('heading', { name: of, exact: true }).waitFor();
}

test(
  'the form of every kind renders its own examples and leaves them unchanged',
  async () => {
    const { items } = await appliance.service.admin.ok<{ items: KindManifest[] }>('GET', '/kinds');
    const nodes = items.flatMap(({ id, examples }) =>
      examples.map((example, index) =>
        node(`${id}-${index}`, id, (example as { settings: object }).settings, index * 280),
      ),
    );
    await make('examples', nodes);
    const before = await saved('examples');
    await open('examples', 'rest-api-0');
    for (const { id } of nodes) {
      // The link of the node, without loading the page again.
      await page.evaluate((of) => history.pushState(null, '', `?node=${of}`), id);
      await panel().getByRole('heading', { name: id, exact: true }).waitFor();
      await leaveEveryField();
    }
    await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).isDisabled()).toBe(true);
    expect((await saved('examples')).revision).toBe(before.revision);
  },
  STORY_MS_MAX,
);

/** Expands everything, and moves the focus into each control and out of it again. */
function leaveEveryField(): Promise<void> {
  return panel().evaluate(async (root) => {
    for (const more of root.querySelectorAll<HTMLElement>('.setting-more > button')) more.click();
    await new Promise(requestAnimationFrame);
    for (const one of root.querySelectorAll<HTMLElement>('input, select, textarea, .cm-content')) {
      one.focus();
      one.blur();
    }
  });
}

test('a route gets another method and pattern, and the field of an invalid pattern says what is expected', async () => {
  await open('orders', 'in');
  await field('Method').selectOption('PUT');
  const fault = panel().getByText('the URL pattern must start with "/"');
  const problem = page.getByRole('list', { name: 'Problems' }).getByText('URL pattern: the URL pattern must start');
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await field('URL pattern').fill('orders');
  await problem.waitFor();
  expect(await fault.count()).toBe(0);
  await field('URL pattern').press('Tab');
  await fault.waitFor();
  await page.getByRole('button', { name: 'Close this panel' }).click();
  // A draft with faults is kept; its start is refused.
  await until('the save', async () => (await settingsOf('orders', 'in'))['urlPattern'] === 'orders');
  await expect.poll(() => field('URL pattern').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page, 'a fault in the settings panel');
  await field('URL pattern').fill('/api/v2/orders/:line');
  await panel().getByText('the URL pattern must start with').waitFor({ state: 'detached' });
  await until('the save', async () => (await settingsOf('orders', 'in'))['urlPattern'] === '/api/v2/orders/:line');
  expect((await settingsOf('orders', 'in'))['method']).toBe('PUT');
});

test('a list accepts several entries at once, typed or pasted', async () => {
  await open('orders', 'in');
  const first = panel().getByLabel('Allowed IPs 1', { exact: true });
  await first.fill('10.20.0.0/16, 10.30.4.7 127.0.0.1');
  await first.press('Tab');
  await until('the save', async () => {
    const saved = (await settingsOf('orders', 'in'))['allowedIps'];
    return JSON.stringify(saved) === '["10.20.0.0/16","10.30.4.7","127.0.0.1"]';
  });
  await expect.poll(() => panel().getByLabel('Allowed IPs 3', { exact: true }).inputValue()).toBe('127.0.0.1');
});

test('all edits during one visit to a field are one undo step, and the field follows', async () => {
  await open('orders', 'in');
  const timeout = field('Timeout');
  await timeout.pressSequentially('12,5');
  await timeout.press('Tab');
  await until('the save', async () => (await settingsOf('orders', 'in'))['timeout'] === 12.5);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(() => timeout.inputValue()).toBe('');
  await until('the undone save', async () => (await settingsOf('orders', 'in'))['timeout'] === undefined);
});

test('a case that is added gets its own port', async () => {
  await open('orders', 'way');
  await panel().getByRole('button', { name: 'Add to Cases' }).click();
  const second = panel().locator('[data-field="cases.1.port"] input');
  await second.fill('late');
  await panel().locator('[data-field="cases.1.operator"] select').selectOption('eq');
  await panel().locator('[data-field="cases.1.value"] input').fill('tomorrow');
  await until('the save', async () => JSON.stringify(await settingsOf('orders', 'way')).includes('tomorrow'));
  expect((await settingsOf('orders', 'way'))['cases']).toEqual([
    { port: 'urgent', operator: 'ge', value: 8 },
    { port: 'late', operator: 'eq', value: 'tomorrow' },
  ]);
});

test('a secret is typed once, reads as set from then on, and appears nowhere on the page', async () => {
  await open('orders', 'erp');
  await panel().getByLabel('New name in Static headers').fill('Authorization');
  await panel().getByRole('button', { name: 'Add', exact: true }).click();
  const value = panel().getByLabel('Value of Authorization');
  await value.fill(SECRET);
  await value.press('Enter');
  await panel().getByText('Set', { exact: true }).waitFor();
  expect((await settingsOf('orders', 'erp'))['staticHeaders']).toEqual({
    Authorization: { set: true, version: expect.any(String) },
  });
  const everything = await page.evaluate(() =>
    [document.documentElement.outerHTML, ...[...document.querySelectorAll('input')].map((one) => one.value)].join(' '),
  );
  expect(everything).not.toContain(SECRET);
  await panel().getByLabel('URL', { exact: true }).fill('https://other.example/x');
  await panel().getByText('Stored values belong to this scheme').waitFor();
});

test('the settings of a transform show whether its script runs natively, and the line that needs the sandbox', async () => {
  const { admin } = appliance.service;
  const code = 'export default (msg) => msg.payload\n';
  await make('engines', [node('row', 'transform', { code }, 0)]);
  await open('engines', 'row');
  await panel().getByText('All scripts run in the sandbox').waitFor();
  await admin.ok('PATCH', '/settings', { scriptExecution: 'native' });
  await page.reload();
  await panel().getByText('This script runs natively in the gateway').waitFor();
  const input = panel().getByRole('textbox', { name: 'Code' });
  await input.press('Control+End');
  await input.pressSequentially('// a comment\nconst x = /a/;');
  await panel().getByText('Line 3 uses a regular expression. The script therefore runs in the sandbox.').waitFor();
  await admin.ok('PATCH', '/settings', { scriptExecution: 'sandbox' });
});

test('code is completed with the keyboard, enlarged, and reduced again', async () => {
  await open('orders', 'row');
  const code = panel().getByRole('textbox', { name: 'Code' });
  await code.press('Control+End');
  await code.pressSequentially('const x = tags.re');
  const offered = page.getByRole('option', { name: /^readMany/ });
  await offered.waitFor();
  // A list ignores keys at first, so that continued typing selects nothing.
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown');
      return offered.getAttribute('aria-selected');
    })
    .toBe('true');
  await page.keyboard.press('Enter');
  await until('the save', async () => String((await settingsOf('orders', 'row'))['code']).includes('tags.readMany('));
  // Typing over several lines: the browser's own way would write styles, which the policy refuses (checked in
  // afterEach).
  await code.press('ControlOrMeta+A');
  await code.press('/');
  await expect.poll(() => code.innerText()).toBe('/');
  await code.press('ControlOrMeta+Z');
  await expect.poll(() => code.innerText()).toContain('tags.readMany(');
  await panel().getByRole('button', { name: 'Enlarge' }).click();
  const stage = page.getByRole('region', { name: 'Code' });
  await stage.getByRole('textbox', { name: 'Code' }).waitFor();
  await expectAccessible(page, 'enlarged code');
  await stage.getByRole('textbox', { name: 'Code' }).press('Escape');
  await stage.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Enlarge');
  await code.focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.classList.contains('cm-content'))).toBe(false);
});

test('a query is chosen from the project, and its parameters get fields for their values', async () => {
  await open('orders', 'find');
  await expect.poll(() => field('Query').inputValue()).toBe('order-by-id');
  await panel().getByText('1 parameter, on connection embedded.').waitFor();
  await panel().getByLabel('Value of id').fill('{{payload.params.id}}');
  await until('the save', async () => JSON.stringify(await settingsOf('orders', 'find')).includes('params.id'));
  await expect
    .poll(() => panel().getByRole('link', { name: 'Open query' }).getAttribute('href'))
    .toBe('/data/queries?project=line-7&open=order-by-id');
});

describe('paths of the message', () => {
  const SCHEMA = { type: 'object', required: ['grams'], properties: { grams: { type: 'number' }, note: {} } };
  const WEIGHTS = [
    node('in', 'rest-api', { mode: 'ingress', urlPattern: '/weights/:line', authType: 'none' }, 0),
    node('check', 'validate', { schema: SCHEMA }, 280),
    node('find', 'named-query', { query: 'order-by-id' }, 560),
    node('keep', 'variable-write', { name: 'last', from: '' }, 840),
    node('say', 'log', { message: 'seen' }, 1120),
    node('reply', 'http-response', { status: 201 }, 1400),
  ];
  const order = ['in', 'check', 'find', 'keep', 'say', 'reply'];
  const wires = order.slice(1).map((to, at) => ({ from: order[at], port: 'out', to }));
  const option = (name: string) => page.getByRole('option', { name, exact: true });
  const isOpen = (of: Locator) => of.getAttribute('aria-expanded');

  test('are offered from the schema of the node before, and accepted with keys', async () => {
    await make('weights', WEIGHTS, wires);
    await open('weights', 'find');
    const id = field('Value of id');
    await id.pressSequentially('{{gra');
    await option('payload.body.grams').waitFor();
    await expectAccessible(page, 'paths that are offered');
    await id.press('Escape');
    await expect.poll(() => isOpen(id)).toBe('false');
    expect(await panel().getByRole('heading', { name: 'find', exact: true }).count()).toBe(1);
    await id.pressSequentially('m');
    await id.press('Enter');
    await expect.poll(() => id.inputValue()).toBe('{{payload.body.grams}}');
    await until('the save', async () => JSON.stringify(await settingsOf('weights', 'find')).includes('body.grams'));
    await open('weights', 'keep');
    const from = field('From');
    await from.press('ArrowDown');
    await option('payload.params.line').waitFor();
    await option('payload.result.rows.0.id').waitFor();
    const second = page.getByRole('listbox', { name: 'Paths of the message' }).getByRole('option').nth(1);
    await from.press('ArrowDown');
    await expect.poll(() => second.getAttribute('aria-selected')).toBe('true');
    await from.press('Escape');
    await from.fill('payload.body.gra');
    await from.press('Enter');
    await expect.poll(() => from.inputValue()).toBe('payload.body.grams');
    await until('the save', async () => (await settingsOf('weights', 'keep'))['from'] === 'payload.body.grams');
  });

  test('show the values of the last run, and the field shows its result', async () => {
    await open('weights', 'find');
    await until('the save', async () => JSON.stringify(await settingsOf('weights', 'find')).includes('body.grams'));
    const message = { payload: { body: { grams: 512.5 }, params: { line: '7' }, query: {}, headers: {} } };
    await appliance.service.admin.ok('POST', '/projects/line-7/pipelines/weights/test', { message });
    await open('weights', 'find');
    await panel().getByText('Last run: 512.5').waitFor();
    const id = field('Value of id');
    await id.fill('');
    await id.pressSequentially('line {{params.l');
    await page.getByRole('option', { name: 'payload.params.line "7"' }).click();
    await expect.poll(() => id.inputValue()).toBe('line {{payload.params.line}}');
    await panel().getByText('Last run: "line 7"').waitFor();
  });
});

test('a new node has examples only as placeholders, and shows no error before it is left', async () => {
  await make('fresh', [node('in', 'timer', { every: 3600 }, 0)]);
  await open('fresh', 'in');
  await page.getByRole('button', { name: /^in,/ }).press('a');
  await page.getByRole('combobox', { name: 'Add a node' }).fill('Call REST API');
  await page.getByRole('combobox', { name: 'Add a node' }).press('Enter');
  const url = field('URL');
  await expect.poll(() => url.getAttribute('placeholder')).toMatch(/^e\.g\. https:/);
  expect(await url.inputValue()).toBe('');
  await until('the save', async () => (await saved('fresh')).nodes.length === 2);
  const { nodes } = await saved('fresh');
  expect(nodes[1]?.settings).toEqual({ mode: 'egress', staticHeaders: {} });
  const problems = page.getByRole('list', { name: 'Problems' }).getByText('URL:');
  await page.getByRole('tab', { name: /^Problems/ }).click();
  expect(await panel().getByRole('paragraph').filter({ hasText: 'expected' }).count()).toBe(0);
  expect(await problems.count()).toBe(0);
  // A field that has lost the focus shows its own fault.
  await url.press('Tab');
  await panel().locator('[data-field="url"] .mantine-InputWrapper-error').waitFor();
  await page.getByRole('button', { name: /^in,/ }).click();
  await problems.waitFor();
  await page.getByRole('button', { name: 'Close this panel' }).click();
});

test('a warning is fixed by its button', async () => {
  await open('orders', 'find');
  await panel().getByText('The route does not require db:read.').waitFor();
  await panel().getByRole('button', { name: 'Require db:read' }).click();
  await until(
    'the save',
    async () => JSON.stringify((await settingsOf('orders', 'in'))['requiredScopes']) === '["db:read"]',
  );
});

test('a missing resource is reported on the node and in the list of problems', async () => {
  const watch = node('watch', 'tag-change', { tags: ['line7/none'] }, 0);
  await make(
    'watching',
    [watch, node('say', 'log', { message: 'seen' }, 280)],
    [{ from: 'watch', port: 'out', to: 'say' }],
  );
  await open('watching', 'watch');
  await panel().getByText('This project has no tag “line7/none”.').waitFor();
  await page.getByRole('tab', { name: /^Problems \d/ }).click();
  await page.getByRole('tabpanel').getByText('line7/none').waitFor();
});

test('a missing tag is created in its field, and the problem ends without an edit', async () => {
  await panel().getByRole('group', { name: 'Create it in memory:' }).getByRole('button', { name: 'Number' }).click();
  await panel().getByText('This project has no tag “line7/none”.').waitFor({ state: 'detached' });
  await page.getByRole('tabpanel').getByText('line7/none').waitFor({ state: 'detached' });
  const { items } = await appliance.service.admin.ok<{ items: object[] }>('GET', '/projects/line-7/tags');
  expect(items).toMatchObject([{ path: 'line7/none', type: 'number', writable: true, source: { provider: 'memory' } }]);
});

test('a link to a rarely used field opens the section that hides it and focuses the field', async () => {
  await open('orders', 'in', 'settings.headerWhitelist');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-field]')?.getAttribute('data-field')))
    .toBe('headerWhitelist');
});

test('the panel is hidden to widen the canvas, and comes back', async () => {
  await open('orders', 'in');
  await panel().getByRole('button', { name: 'Hide settings' }).click();
  await panel().waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Show settings' }).click();
  await panel().waitFor();
});

test('without the permission everything is readable', async () => {
  const viewer = await appliance.window('Viewer');
  await viewer.page.goto(`${appliance.service.ready.ui}/pipelines/line-7/orders?node=in`);
  const read = viewer.page.getByRole('complementary', { name: 'Settings' });
  await read.getByText('Only users with the permission “Edit pipelines” can change this.').waitFor();
  await expect.poll(() => read.getByLabel('URL pattern').getAttribute('readonly')).not.toBeNull();
  expect(await read.getByRole('button', { name: 'Delete node' }).count()).toBe(0);
  expect(viewer.watch).toEqual({ violations: [], foreignRequests: [], pageErrors: [] });
  await viewer.close();
});
