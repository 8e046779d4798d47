import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/** The canvas in a window of 1280 × 800: the samples are readable, measured in pixels of the screen. */

const TEXT_PX_MIN = 12;
const SAMPLES = ['sample-line', 'filling-line'];

const appliance = applianceOfFile();
let page: Page;
let watch: Watch;

beforeAll(async () => {
  const { admin } = appliance.service;
  for (const name of SAMPLES) {
    const text = await readFile(new URL(`../../docs/samples/${name}.json`, import.meta.url), 'utf8');
    await admin.ok('POST', '/projects/import', { file: JSON.parse(text) });
  }
  for (const id of ['orders', 'order']) await admin.ok('POST', `/projects/sample-line/pipelines/${id}/start`, {});
  ({ page, watch } = await appliance.window('Engineer', { reducedMotion: 'reduce' }));
});

afterEach(() => expect(watch).toEqual(CLEAN));

async function openEditor(pipeline: string) {
  await page.goto(`${appliance.service.ready.ui}/pipelines/${pipeline}`);
  await page.getByRole('application').waitFor();
  await page.locator('.flow-card').first().waitFor();
}

interface Seen {
  /** Size of the smallest text on the screen. */
  textPx: number;
  cards: { name: string; left: number; top: number; right: number; bottom: number; lines: number; clipped: string[] }[];
  canvas: { left: number; top: number; right: number; bottom: number };
}

/** Runs in the page. */
function look(): Seen {
  const zoomOf = (element: Element) => element.getBoundingClientRect().width / (element as HTMLElement).offsetWidth;
  const root = document.querySelector('.editor-canvas');
  const cards = [...document.querySelectorAll<HTMLElement>('.flow-card')];
  const texts = [...document.querySelectorAll('.flow-card *, .flow-wire-label')].filter(
    (one) => one instanceof HTMLElement && one.childElementCount === 0 && one.textContent.trim() !== '',
  );
  const [zoom = 1] = cards.map(zoomOf);
  const sides = ({ left, top, right, bottom }: DOMRect) => ({ left, top, right, bottom });
  return {
    textPx: Math.min(...texts.map((one) => Number.parseFloat(getComputedStyle(one).fontSize) * zoom)),
    cards: cards.map((card) => ({
      name: card.getAttribute('aria-label') ?? '',
      ...sides(card.getBoundingClientRect()),
      lines: card.querySelectorAll('.flow-names > *, .flow-row, .flow-foot').length,
      // Rows of a card that do not fit into it.
      clipped: [...card.querySelectorAll('.flow-row, .flow-foot')]
        .filter((row) => row.getBoundingClientRect().bottom > card.getBoundingClientRect().bottom + 0.5)
        .map((row) => row.textContent),
    })),
    canvas: sides((root ?? document.body).getBoundingClientRect()),
  };
}

function overlapping({ cards }: Seen): string[] {
  return cards.flatMap((a, index) =>
    cards
      .slice(index + 1)
      .flatMap((b) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom ? [`${a.name} on ${b.name}`] : [],
      ),
  );
}

/** Every node is completely visible, with name, kind, summary and footer, and nothing is too small or overlaps. */
async function expectReadable(nodes: number) {
  await expect.poll(() => page.locator('.flow-card').count()).toBe(nodes);
  const seen = await page.evaluate(look);
  expect(seen.textPx).toBeGreaterThanOrEqual(TEXT_PX_MIN);
  expect(overlapping(seen)).toEqual([]);
  for (const card of seen.cards) {
    expect(card.lines, card.name).toBeGreaterThanOrEqual(4);
    expect(card.clipped, card.name).toEqual([]);
    expect(card.left, card.name).toBeGreaterThanOrEqual(seen.canvas.left);
    expect(card.right, card.name).toBeLessThanOrEqual(seen.canvas.right);
    expect(card.top, card.name).toBeGreaterThanOrEqual(seen.canvas.top);
    expect(card.bottom, card.name).toBeLessThanOrEqual(seen.canvas.bottom);
  }
}

test('the samples open readable: whole nodes with ports, summary and rates', async () => {
  for (const [pipeline, nodes] of [
    ['sample-line/orders', 6],
    ['sample-line/order', 6],
    ['filling-line/orders', 10],
  ] as const) {
    await openEditor(pipeline);
    await expectReadable(nodes);
    expect(await page.locator('.flow-port').count()).toBeGreaterThan(nodes);
  }
});

test('no text is smaller than 12 px at any zoom, and every row fits into its node', async () => {
  await openEditor('filling-line/orders');
  for (let press = 0; press < 7; press++) {
    await page.getByRole('button', { name: 'Zoom out' }).click();
    const seen = await page.evaluate(look);
    expect(seen.textPx, `after ${press + 1}`).toBeGreaterThanOrEqual(TEXT_PX_MIN);
    expect(seen.cards.flatMap(({ clipped }) => clipped)).toEqual([]);
  }
});

test('Fit shows the beginning of a large pipeline at 80 % instead of the whole pipeline too small', async () => {
  const { admin } = appliance.service;
  const nodes = Array.from({ length: 12 }, (_, index) => ({
    id: `n${index}`,
    kind: index === 0 ? 'timer' : 'log',
    position: { x: index * 400, y: index * 200 },
    settings: index === 0 ? { every: 3600 } : { message: 'seen' },
  }));
  await admin.ok('POST', '/projects/sample-line/pipelines', { id: 'wide', name: 'Wide', nodes, wires: [] });
  await openEditor('sample-line/wide');
  for (const fit of [() => undefined, () => page.getByRole('button', { name: 'Fit' }).click()]) {
    await fit();
    const box = await page.locator('[data-node="n0"]').boundingBox();
    expect(box?.width).toBeCloseTo(216 * 0.8, 0);
    expect((await page.evaluate(look)).textPx).toBeGreaterThanOrEqual(TEXT_PX_MIN);
  }
  await page.getByRole('button', { name: 'Tidy' }).click();
  await expectReadable(12);
});

test('a node that is added after the last one of a row starts the next row', async () => {
  await openEditor('sample-line/setpoint');
  await page.locator('[data-node="write"]').click();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Add a node' }).fill('wait');
  await page.keyboard.press('Enter');
  await page.locator('[data-node="delay"]').waitFor();
  const boxOf = async (id: string) => (await page.locator(`[data-node="${id}"]`).boundingBox()) ?? { x: 0, y: 0 };
  await page.getByRole('button', { name: 'Fit' }).click();
  const [first, last, added] = [await boxOf('in'), await boxOf('out'), await boxOf('delay')];
  expect(added.x).toBeCloseTo(last.x, 0);
  expect(added.y).toBeGreaterThan(last.y + 96);
  await page.locator('[data-node="delay"]').focus();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Add a node' }).fill('log');
  await page.keyboard.press('Enter');
  await page.locator('[data-node="log"]').waitFor();
  await page.getByRole('button', { name: 'Fit' }).click();
  expect((await boxOf('log')).x).toBeCloseTo((await boxOf('in')).x, 0);
  expect(first.y).toBeLessThan((await boxOf('log')).y);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
});

test('settings and dock leave enough room for the canvas, and the selected node stays visible', async () => {
  await openEditor('sample-line/orders');
  // A node out of sight is not in the page: none may be missing beside the settings.
  const nodes = await page.locator('[data-node]').count();
  const settings = page.getByRole('complementary', { name: 'Settings' });
  await expect.poll(() => settings.count()).toBe(0);
  const panel = page.getByRole('tabpanel', { name: /^Problems/ });
  await expect.poll(() => panel.count()).toBe(0);
  await page.locator('[data-node="panel"]').click();
  await settings.getByLabel('Name').waitFor();
  // Not only the selected node: every column is visible beside the settings, at 80 % or more.
  await expect
    .poll(async () => {
      const place = await settings.boundingBox();
      const boxes = await Promise.all((await page.locator('[data-node]').all()).map((one) => one.boundingBox()));
      return boxes.filter((box) => box !== null && place !== null && box.x >= 0 && box.x + box.width <= place.x).length;
    })
    .toBeGreaterThanOrEqual(nodes);
  const widths = (await page.locator('[data-node="panel"]').boundingBox())?.width ?? 0;
  expect(widths).toBeGreaterThanOrEqual(216 * 0.8 - 1);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-node'))).toBe('panel');
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show settings' }).click();
  await settings.getByText('Name', { exact: true }).waitFor();
  await settings.getByRole('button', { name: 'Hide settings' }).click();
  await settings.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await panel.waitFor();
});

test('F9 hides the panels and brings them back', async () => {
  await openEditor('sample-line/orders');
  await page.locator('[data-node="panel"]').click();
  const palette = page.getByRole('complementary', { name: 'Node kinds' });
  const settings = page.getByRole('complementary', { name: 'Settings' });
  await settings.waitFor();
  const before = await page.locator('.editor-canvas').boundingBox();
  await page.keyboard.press('F9');
  for (const part of [palette, settings, page.locator('.editor-dock')]) await part.waitFor({ state: 'hidden' });
  const alone = await page.locator('.editor-canvas').boundingBox();
  expect(alone?.width).toBeGreaterThan((before?.width ?? 0) + 300);
  await expectAccessible(page, 'canvas only');
  await page.keyboard.press('F9');
  for (const part of [palette, settings, page.locator('.editor-dock')]) await part.waitFor();
  await page.getByRole('button', { name: 'Canvas only', pressed: false }).click();
  await palette.waitFor({ state: 'hidden' });
  await page.locator('[data-node="panel"]').focus();
  await page.keyboard.press('F2');
  await settings.waitFor();
});

test('a name that is too long is shortened, and the running revision and the draft are shown in full', async () => {
  const { admin } = appliance.service;
  const name = 'Orders of the second filling line, with checks and a report';
  const definition = await admin.ok<{ nodes: object[]; wires: object[] }>(
    'GET',
    '/projects/sample-line/pipelines/orders',
  );
  await admin.ok('PUT', '/projects/sample-line/pipelines/orders', { ...definition, name });
  await openEditor('sample-line/orders');
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect(heading?.width).toBeLessThanOrEqual(240);
  const cut = () =>
    [...document.querySelectorAll('.version b, .version .cut')]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => one.textContent);
  expect(await page.evaluate(cut)).toEqual([]);
  await page.getByRole('button', { name: 'compare' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('no start is offered while the draft equals the running revision', async () => {
  await openEditor('sample-line/order');
  await page.locator('.start-none', { hasText: 'Running' }).waitFor();
  expect(await page.getByRole('button', { name: /^Start draft/ }).count()).toBe(0);
  await page.locator('[data-node="show"]').click();
  await page.getByRole('complementary', { name: 'Settings' }).getByLabel('Name').fill('Show the order');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: /^Start draft/ }).waitFor();
  await page.keyboard.press('Control+z');
});

test('an undone step names the field and the value, and another node opens at the top of its settings', async () => {
  await openEditor('sample-line/order');
  await page.getByRole('button', { name: 'Fit' }).click();
  await page.locator('[data-node="find"]').click();
  const settings = page.getByRole('complementary', { name: 'Settings' });
  const body = settings.locator('.settings-body');
  await body.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.locator('[data-node="in"]').click();
  await expect.poll(() => body.evaluate((element) => element.scrollTop)).toBe(0);
  await settings.getByLabel('URL pattern').fill('/api/v1/sample/one-order');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: /^Undo: set URL pattern of .* to \/api\/v1\/sample\/one-order$/ }).click();
});

test('notes and groups are written, moved, undone and stored with the pipeline', async () => {
  await openEditor('sample-line/order');
  const stored = () =>
    appliance.service.admin.ok<{
      notes?: { text: string; position: object }[];
      groups?: { title: string; nodes: string[] }[];
    }>('GET', '/projects/sample-line/pipelines/order');
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByLabel('Note', { exact: true }).fill('Ask the MES team\nbefore a change');
  await page.keyboard.press('Control+Enter');
  const note = page.getByRole('button', { name: /^Note: Ask the MES team/ });
  await note.waitFor();
  const { x, y, width, height } = (await note.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const box = { name: 'note', left: x, top: y, right: x + width, bottom: y + height, lines: 0, clipped: [] };
  const seen = await page.evaluate(look);
  expect(overlapping({ ...seen, cards: [...seen.cards, box] })).toEqual([]);
  await note.press('Alt+ArrowDown');
  await expect
    .poll(async () => (await stored()).notes?.map(({ text }) => text))
    .toEqual(['Ask the MES team\nbefore a change']);

  const cards = page.locator('.flow-card');
  const before = await cards.first().boundingBox();
  await page.locator('.react-flow').first().focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('g');
  await page.getByLabel('Title of the group').fill('Order');
  await page.keyboard.press('Enter');
  const title = page.getByRole('button', { name: /^Group Order, \d+ nodes$/ });
  await title.waitFor();
  await title.press('Alt+ArrowDown');
  await expect.poll(async () => (await cards.first().boundingBox())?.y).toBeGreaterThan(before?.y ?? 0);
  await expect.poll(async () => (await stored()).groups?.map(({ title: text }) => text)).toEqual(['Order']);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expectAccessible(page, 'notes and groups');
  await title.press('Delete');
  await title.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Undo: remove the group Order/ }).click();
  await title.waitFor();
  expect(await cards.count()).toBe(6);
});

test('a finger selects a note or a group and deletes it, at any zoom; the nodes stay', async () => {
  const nodes = [{ id: 'in', kind: 'timer', name: 'Every hour', position: { x: 0, y: 80 }, settings: { every: 3600 } }];
  const notes = [{ id: 'note', text: 'Ask the MES team', position: { x: 320, y: 80 } }];
  const groups = [{ id: 'group', title: 'Intake', nodes: ['in'] }];
  const made = { id: 'touched', name: 'Touched', nodes, notes, groups };
  await appliance.service.admin.ok('POST', '/projects/sample-line/pipelines', made);
  const touch = await appliance.window('Engineer', { hasTouch: true, reducedMotion: 'reduce' });
  await touch.page.goto(`${appliance.service.ready.ui}/pipelines/sample-line/touched`);
  await touch.page.locator('.flow-card').first().waitFor();
  const button = (name: string) => touch.page.getByRole('button', { name, exact: true });
  for (let times = 0; times < 3; times++) await button('Zoom out').tap();
  for (const [chosen, remove] of [
    ['Note: Ask the MES team', 'Delete this note'],
    ['Group Intake, 1 node', 'Remove the group Intake'],
  ] as const) {
    await expect.poll(() => button(remove).count()).toBe(0);
    await button(chosen).tap();
    const target = await button(remove).boundingBox();
    expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(43.9);
    await button(remove).tap();
    await button(chosen).waitFor({ state: 'detached' });
  }
  const stored = () => appliance.service.admin.ok('GET', '/projects/sample-line/pipelines/touched');
  await expect.poll(stored).toMatchObject({ notes: [], groups: [], nodes: [{ id: 'in' }] });
  expect(touch.watch).toEqual(CLEAN);
  await touch.close();
});
