import type { Locator, Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { PipelineRecord } from '#common/model/records.ts';
import { until } from '#test/until.ts';
import { expectAccessible } from './accessible.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/** Canvas, palette and keys of the editor, on the real service: the saved pipeline matches the displayed one. */

const LARGE = 300;

const appliance = applianceOfFile();
let page: Page;
let watch: Watch;

beforeAll(async () => {
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  for (const id of ['mouse', 'keys', 'copies', 'touch']) await make(id, []);
  await make('chain', CHAIN);
  await make('ends', ENDS);
  await make('large', largeOne());
  ({ page, watch } = await appliance.window('Engineer'));
});

afterEach(() => expect(watch).toEqual(CLEAN));

const node = (id: string, kind: string, name: string, x: number, y: number, settings: object = {}) => ({
  id,
  kind,
  name,
  position: { x, y },
  settings,
});
const LOG = { message: 'seen' };
const CHAIN = [
  node('in', 'timer', 'Every hour', 0, 0, { every: 3600 }),
  node('one', 'log', 'First', 280, 0, LOG),
  node('two', 'log', 'Second', 560, 0, LOG),
];

/** One wire with room along it, and a node that it does not lead to. */
const ENDS = [
  node('in', 'timer', 'Every hour', 0, 0, { every: 3600 }),
  node('one', 'log', 'First', 420, 0, LOG),
  node('two', 'log', 'Second', 420, 200, LOG),
];

/** Wires in a chain; the last ones of `ENDS` separately. */
async function make(id: string, nodes: readonly { id: string }[]) {
  const wires = nodes
    .slice(1, nodes === ENDS ? 2 : undefined)
    .map(({ id: to }, index) => ({ from: nodes[index]?.id, port: 'out', to }));
  await appliance.service.admin.ok('POST', '/projects/line-7/pipelines', { id, name: id, nodes, wires });
}

function largeOne() {
  return Array.from({ length: LARGE }, (_, index) =>
    index === 0
      ? node('n0', 'timer', 'Step 0', 0, 0, { every: 3600 })
      : node(`n${index}`, 'log', `Step ${index}`, (index % 20) * 280, Math.floor(index / 20) * 140, LOG),
  );
}

function saved(id: string): Promise<PipelineRecord> {
  return appliance.service.admin.ok<PipelineRecord>('GET', `/projects/line-7/pipelines/${id}`);
}

/** The saved pipeline, once it has the expected content. */
async function untilSaved(id: string, expected: (pipeline: PipelineRecord) => boolean) {
  await until(`${id} is saved as it is drawn`, async () => expected(await saved(id)), { everyMs: 100 });
  return saved(id);
}

const wiresOf = ({ wires }: PipelineRecord) => wires.map(({ from, port, to }) => `${from} ${port} ${to}`).toSorted();

async function openEditor(id: string) {
  await page.goto(`${appliance.service.ready.ui}/pipelines/line-7/${id}`);
  await page.getByRole('application').waitFor();
}

const card = (name: string) => page.getByRole('button', { name: new RegExp(`^${name},`) });
const port = (name: string, of: Locator) => of.locator(`[data-port="${name}"]`);

async function middleOf(target: Locator) {
  const box = await target.boundingBox();
  if (box === null) throw new Error('it is not drawn');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(from: Locator, to: { x: number; y: number }) {
  const { x, y } = await middleOf(from);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y + 10, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
}

async function fromPalette(category: string, kind: string, to: { x: number; y: number }) {
  const palette = page.getByRole('complementary', { name: 'Node kinds' });
  await palette.getByRole('button', { name: category, exact: true }).click();
  await drag(palette.getByRole('button', { name: kind, exact: true }), to);
}

async function focusCanvas() {
  await page.getByRole('application').focus();
}

test('a pipeline is built from scratch with the mouse', async () => {
  await openEditor('mouse');
  await fromPalette('Routes', 'REST API', { x: 300, y: 240 });
  await fromPalette('Data', 'Validate', { x: 560, y: 240 });
  await fromPalette('Scripts', 'Transform', { x: 820, y: 240 });
  await fromPalette('Routes', 'HTTP Response', { x: 820, y: 400 });
  await drag(port('out', card('REST API')), await middleOf(card('Validate')));
  await drag(port('out', card('Validate')), await middleOf(card('Transform')));
  await drag(port('invalid', card('Validate')), await middleOf(card('HTTP Response')));
  await drag(port('out', card('Transform')), await middleOf(card('HTTP Response')));
  const pipeline = await untilSaved('mouse', ({ wires }) => wires.length === 4);
  expect(pipeline.nodes.map(({ kind }) => kind).toSorted()).toEqual([
    'http-response',
    'rest-api',
    'transform',
    'validate',
  ]);
  expect(wiresOf(pipeline)).toEqual([
    'rest-api out validate',
    'transform out http-response',
    'validate invalid http-response',
    'validate out transform',
  ]);
  await expect.poll(() => page.locator('.flow-wire').count()).toBe(4);
  expect(pipeline.nodes.every(({ position }) => position.x % 20 === 0 && position.y % 20 === 0)).toBe(true);
  await expect
    .poll(() => card('Validate').getAttribute('aria-label'))
    .toMatch(/^Validate, Validate, 2 of 4, .*in from REST API, out to Transform, invalid to HTTP Response$/);
  await expectAccessible(page, 'editor with a chosen node');
});

test('wires between incompatible ports are refused at once, with the reason', async () => {
  await drag(port('out', card('Transform')), await middleOf(card('REST API')));
  await page.getByRole('alert').getByText('This node starts a path').waitFor();
  await drag(port('out', card('REST API')), await middleOf(card('Validate')));
  await page.getByRole('alert').getByText('These two ports are already connected.').waitFor();
  await drag(port('', card('Transform')), await middleOf(port('', card('HTTP Response'))));
  await page.getByRole('alert').getByText('Two inputs cannot be connected').waitFor();
  expect((await saved('mouse')).wires).toHaveLength(4);
});

test('steps are undone and redone, each as a whole', async () => {
  await focusCanvas();
  await page.keyboard.press('Control+z');
  await untilSaved('mouse', ({ wires }) => wires.length === 3);
  await page.keyboard.press('Control+Shift+z');
  await untilSaved('mouse', ({ wires }) => wires.length === 4);
});

test('a drag to an empty spot adds a matching kind, already connected', async () => {
  await drag(port('error', card('Transform')), { x: 560, y: 560 });
  const list = page.getByRole('dialog', { name: 'Add and wire' });
  await list.getByRole('option', { name: /^Set/ }).waitFor();
  await expect.poll(() => list.getByRole('option', { name: /^Timer/ }).count()).toBe(0);
  await list.getByRole('combobox').fill('log');
  await page.keyboard.press('Enter');
  const pipeline = await untilSaved('mouse', ({ nodes }) => nodes.length === 5);
  expect(wiresOf(pipeline)).toContain('transform error log');
});

test('the end of a wire is dragged to another node, and its × removes the wire', async () => {
  await openEditor('ends');
  const { x, y } = await middleOf(port('', card('First')));
  const target = await middleOf(card('Second'));
  await page.mouse.move(x - 40, y);
  await page.mouse.down();
  await page.mouse.move(x - 40, y + 40, { steps: 4 });
  await page.mouse.move(target.x, target.y, { steps: 4 });
  await page.mouse.up();
  const moved = await untilSaved('ends', (pipeline) => wiresOf(pipeline).includes('in out two'));
  expect(wiresOf(moved)).toEqual(['in out two']);
  const start = await middleOf(port('out', card('Every hour')));
  await page.mouse.move(start.x + 34, start.y);
  await page.getByRole('button', { name: 'Remove the wire Every hour to Second' }).click();
  await untilSaved('ends', ({ wires }) => wires.length === 0);
});

test('a tap selects a kind and its place, a port and its target', async () => {
  const touch = await appliance.window('Engineer', { hasTouch: true });
  await touch.page.goto(`${appliance.service.ready.ui}/pipelines/line-7/touch`);
  const palette = touch.page.getByRole('complementary', { name: 'Node kinds' });
  for (const [category, kind, x] of [
    ['Flow', 'Timer', 300],
    ['Logs', 'Log', 620],
  ] as const) {
    await palette.getByRole('button', { name: category, exact: true }).tap();
    await palette.getByRole('button', { name: kind, exact: true }).tap();
    await touch.page.getByText(`${kind}. Tap where to place it.`).first().waitFor();
    await touch.page.touchscreen.tap(x, 260);
    await touch.page.getByRole('button', { name: new RegExp(`^${kind},`) }).waitFor();
    // The dock stays closed, however many problems there are: nothing moves under a finger.
    await touch.page.getByRole('tab', { name: /^Problems/ }).waitFor();
    expect(await touch.page.getByRole('tabpanel', { name: /^Problems/ }).count()).toBe(0);
  }
  await port('out', touch.page.getByRole('button', { name: /^Timer,/ })).tap();
  await touch.page.getByText('From Timer, port out. Tap a target.').waitFor();
  await touch.page.getByRole('button', { name: /^Log,/ }).tap();
  const wired = await untilSaved('touch', ({ wires }) => wires.length === 1);
  expect(wiresOf(wired)).toEqual(['timer out log']);
  expect(touch.watch).toEqual(CLEAN);
  await touch.close();
});

test('a pipeline is built with the keyboard only', async () => {
  await openEditor('keys');
  await page.locator('.react-flow__pane').waitFor();
  await pressUntil('F6', () => document.activeElement?.closest('[data-region="canvas"]') !== null);
  for (const kind of ['REST API', 'Validate', 'Transform', 'HTTP Response']) {
    await page.keyboard.press('a');
    await page.getByRole('combobox', { name: 'Add a node' }).waitFor();
    await page.keyboard.type(kind);
    await page.getByRole('option', { name: kind, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await focused(kind);
  }
  await page.keyboard.press('ArrowLeft');
  await focused('Transform');
  await page.keyboard.press('ArrowLeft');
  await focused('Validate');
  await page.keyboard.press('w');
  await page.getByRole('menuitem', { name: 'invalid' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('Transform, input').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowRight');
  await page.getByText('HTTP Response, input').waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  const pipeline = await untilSaved('keys', ({ wires }) => wires.length === 4);
  expect(wiresOf(pipeline)).toEqual([
    'rest-api out validate',
    'transform out http-response',
    'validate invalid http-response',
    'validate out transform',
  ]);
});

test('keys move the selection, move nodes, switch them off and remove them', async () => {
  await focusCanvas();
  for (const kind of ['REST API', 'Validate', 'Transform']) {
    await page.keyboard.press('Tab');
    await focused(kind);
  }
  const before = (await saved('keys')).nodes.find(({ id }) => id === 'transform')?.position.y ?? 0;
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByText(/^Transform moved to/).waitFor({ state: 'attached' });
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: move Transform.').waitFor({ state: 'attached' });
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.closest('.settings-body') !== null);
  await page.keyboard.press('Shift+F6');
  await focused('Transform');
  await page.keyboard.press('e');
  const at = (pipeline: PipelineRecord) => pipeline.nodes.find(({ id }) => id === 'transform');
  const moved = await untilSaved('keys', (pipeline) => at(pipeline)?.off === true);
  expect(at(moved)?.position.y).toBe(before + 40);
  await page.keyboard.press('x');
  await page.getByRole('menuitem', { name: /Transform to HTTP Response/ }).click();
  await page.keyboard.press('Delete');
  const cut = await untilSaved('keys', ({ wires }) => wires.length === 3);
  expect(wiresOf(cut)).not.toContain('transform out http-response');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
  await expectAccessible(page, 'list of keys');
  await page.keyboard.press('Escape');
});

test('nodes are copied into another pipeline together with the wires between them', async () => {
  await openEditor('chain');
  await card('First').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await openEditor('copies');
  await focusCanvas();
  await page.keyboard.press('Control+v');
  const pasted = await untilSaved('copies', ({ nodes }) => nodes.length === 3);
  expect(wiresOf(pasted)).toEqual(['in out one', 'one out two']);
  await page.keyboard.press('Control+v');
  const twice = await untilSaved('copies', ({ nodes }) => nodes.length === 6);
  expect(wiresOf(twice)).toEqual(['in out one', 'in-2 out one-2', 'one out two', 'one-2 out two-2']);
});

test('a kind dropped on a wire is inserted into it, and deleting a node reconnects the chain', async () => {
  await openEditor('chain');
  const [left, right] = [await middleOf(port('out', card('Every hour'))), await middleOf(port('', card('First')))];
  await fromPalette('Flow', 'Delay', { x: (left.x + right.x) / 2, y: left.y });
  const inserted = await untilSaved('chain', ({ nodes }) => nodes.length === 4);
  expect(wiresOf(inserted)).toEqual(['delay out one', 'in out delay', 'one out two']);
  await card('First').click();
  await page.keyboard.press('Delete');
  const healed = await untilSaved('chain', ({ nodes }) => nodes.length === 3);
  expect(wiresOf(healed)).toEqual(['delay out two', 'in out delay']);
  const heights = ({ nodes }: PipelineRecord) => new Set(nodes.map(({ position }) => position.y)).size;
  await page.getByRole('button', { name: 'Fit' }).click();
  await card('Second').click();
  for (let step = 0; step < 3; step++) await page.keyboard.press('Alt+ArrowDown');
  await untilSaved('chain', (pipeline) => heights(pipeline) === 2);
  await page.getByRole('button', { name: 'Tidy' }).click();
  const tidied = await untilSaved('chain', (pipeline) => heights(pipeline) === 1);
  const across = ['in', 'delay', 'two'].map((id) => tidied.nodes.find((one) => one.id === id)?.position.x ?? 0);
  expect(across).toEqual(across.toSorted((a, b) => a - b));
  expect(new Set(across).size).toBe(3);
  await page.keyboard.press('Control+z');
  await untilSaved('chain', (pipeline) => heights(pipeline) === 2);
});

test('the menu of a node offers the same actions as the keys', async () => {
  await page.getByRole('button', { name: 'Fit' }).click();
  await card('Second').click({ button: 'right' });
  const menu = page.getByRole('menu', { name: 'Node' });
  await menu.getByRole('menuitem', { name: /^Wire to here/ }).waitFor();
  await expectAccessible(page, 'menu of a node');
  await menu.getByRole('menuitem', { name: /^Disable/ }).click();
  await untilSaved('chain', ({ nodes }) => nodes.some(({ id, off }) => id === 'two' && off === true));
});

test('300 nodes can be found, moved to and edited', async () => {
  await openEditor('large');
  await page.getByRole('img', { name: 'Minimap of the pipeline' }).waitFor();
  await focusCanvas();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a node, a kind or a command' }).fill('Step 287');
  await page.keyboard.press('Enter');
  await focused('Step 287');
  await expect.poll(() => page.locator('.flow-card').count()).toBeLessThan(LARGE);
  await expect.poll(() => page.locator('.flow-wire').count()).toBeGreaterThan(5);
  await page.keyboard.press('Alt+ArrowRight');
  await untilSaved('large', ({ nodes }) => nodes.find(({ id }) => id === 'n287')?.position.x === 7 * 280 + 20);
  for (let press = 0; press < 6; press++) await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.flow-wire').length > 40);
  await page.getByRole('button', { name: 'Fit' }).click();
  await expect.poll(() => page.locator('.flow-card', { hasText: /^Step 0/ }).count()).toBe(1);
});

test('a Viewer can look but not draw', async () => {
  const viewer = await appliance.window('Viewer');
  await viewer.page.goto(`${appliance.service.ready.ui}/pipelines/line-7/chain`);
  const second = viewer.page.getByRole('button', { name: /^Second,/ });
  await second.click();
  await viewer.page.keyboard.press('Delete');
  await viewer.page.keyboard.press('a');
  expect(await viewer.page.getByRole('combobox', { name: 'Add a node' }).count()).toBe(0);
  await viewer.page.getByText('Only users with the permission “Edit pipelines” can edit pipelines.').waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Tidy' }).count()).toBe(0);
  await expect.poll(() => second.count()).toBe(1);
  expect(viewer.watch).toEqual(CLEAN);
  await viewer.close();
});

async function focused(name: string) {
  await page.waitForFunction(
    (wanted) => document.activeElement?.getAttribute('aria-label')?.startsWith(`${wanted},`) === true,
    name,
  );
}

const PRESSES_MAX = 6;

async function pressUntil(key: string, reached: () => boolean) {
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    if (await page.evaluate(reached)) return;
    await page.keyboard.press(key);
  }
  expect(await page.evaluate(reached)).toBe(true);
}
