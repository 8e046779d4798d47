import type { Locator, Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/** The Data page as an Engineer and as a Viewer, in the order of use. */

const P = '/projects/line-7';

const appliance = applianceOfFile();
let page: Page;
let watch: Watch;
let viewer: Page;
let viewerWatch: Watch;

beforeAll(async () => {
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  ({ page, watch } = await appliance.window('Engineer'));
  ({ page: viewer, watch: viewerWatch } = await appliance.window('Viewer'));
});

afterEach(() => {
  expect([watch, viewerWatch]).toEqual([CLEAN, CLEAN]);
});

const at = (part: string) => `${appliance.service.ready.ui}/data/${part}`;
const parts = (on: Page) => on.getByRole('navigation', { name: 'Data sections' });
const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const tagRow = (path: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name: path }) });

/** Replaces the text of a code field. */
async function type(field: Locator, text: string): Promise<void> {
  await field.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

test('an Engineer creates a simulated tag and sees its value and its trend change', async () => {
  await page.getByRole('link', { name: 'Data' }).click();
  await page.getByText('No tags yet').waitFor();
  await page.getByRole('button', { name: 'Create tag' }).click();
  const form = page.getByRole('dialog', { name: 'New tag' });
  await form.getByLabel('Path', { exact: true }).fill('line7/filler/speed');
  await form.getByLabel('Title').fill('Filler speed');
  await form.getByLabel('Unit', { exact: true }).fill('bottles/min');
  await form.getByLabel('Source', { exact: true }).selectOption('Simulator');
  await form.getByLabel('Lowest value').fill('x');
  await form.getByLabel('Highest value').fill('240');
  await form.getByText('Not a number.').waitFor();
  await form.getByLabel('Lowest value').fill('180');
  await form.getByLabel('Period, s').fill('20');
  await form.getByLabel('Interval, s', { exact: true }).fill('0,2');
  await form.getByLabel('Record its history').check();
  await expectAccessible(page, 'the form of a tag');
  await form.getByRole('button', { name: 'Create tag' }).click();
  await form.waitFor({ state: 'detached' });

  const figure = row('Filler speed').locator('.figure');
  const before = await figure.innerText();
  await expect.poll(() => figure.innerText(), { timeout: 10_000 }).not.toBe(before);
  await row('Filler speed').getByText('Good').waitFor();
  const details = page.getByRole('region', { name: 'Filler speed' });
  await details.getByText('No pipeline uses this tag.').waitFor();
  await details
    .getByRole('img', { name: /last 15 min/ })
    .locator('canvas')
    .waitFor();
  await expectAccessible(page, 'tags');
  await details.getByRole('link', { name: 'Open in Trend' }).click();
  await page
    .getByRole('img', { name: /Trend of line7\/filler\/speed/ })
    .locator('canvas')
    .waitFor();
  await page.getByText('Every recorded value').waitFor();
});

test('the trend can be read at the cursor, with buttons and as a table', async () => {
  const legend = page.getByRole('listitem').filter({ hasText: 'line7/filler/speed' });
  await expect.poll(() => legend.innerText()).toMatch(/\d bottles\/min/);
  await page.getByText('last value').waitFor();
  const box = await page.locator('.u-over').boundingBox();
  expect(box).not.toBeNull();
  if (box) await page.mouse.move(box.x + box.width - 3, box.y + 20);
  await page.getByText(/^at \d\d:\d\d:\d\d$/).waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('table').getByRole('row').nth(3).waitFor();
  await expectAccessible(page, 'the trend as a table');
  await page.getByRole('button', { name: 'Show as chart' }).click();
  await page.getByRole('button', { name: '7 d' }).click();
  await page.getByText(/Mean over/).waitFor();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByLabel('From', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toMatch(/Z$/);
  await expectAccessible(page, 'trend');
});

test('a value is written to memory at once, and to a device only after a second confirmation', async () => {
  const { admin } = appliance.service;
  await admin.ok('POST', `${P}/connections`, {
    id: 'plc',
    settings: { kind: 'modbus', host: '127.0.0.1', port: 1502 },
  });
  const source = { provider: 'modbus', connection: 'plc', table: 'holding', address: 1 };
  await admin.ok('POST', `${P}/tags`, {
    path: 'line7/tank/level',
    type: 'number',
    unit: '%',
    writable: true,
    source,
  });
  const memory = { provider: 'memory', initial: 'none' };
  await admin.ok('POST', `${P}/tags`, { path: 'order/current', type: 'text', writable: true, source: memory });
  await parts(page).getByRole('link', { name: 'Tags' }).click();
  await page.getByRole('button', { name: 'order/current' }).click();
  await page.getByRole('button', { name: 'Write value' }).click();
  const form = page.getByRole('dialog', { name: 'Write a value to order/current' });
  await form.getByLabel('Value').fill('WO-1042');
  await form.getByRole('button', { name: 'Write value' }).click();
  await tagRow('order/current').getByText('WO-1042').waitFor();

  await page.getByRole('button', { name: 'line7/tank/level' }).click();
  await page.getByRole('button', { name: 'Write value' }).click();
  const level = page.getByRole('dialog', { name: 'Write a value to line7/tank/level' });
  await level.getByLabel('Value').fill('80');
  await level.getByRole('button', { name: 'Write value' }).click();
  const sure = page.getByRole('dialog', { name: 'Write 80 % to line7/tank/level?' });
  await sure.getByText('connection plc').waitFor();
  await expectAccessible(page, 'the question before a write');
  await sure.getByRole('button', { name: 'Do not write' }).click();
});

test('a memory tag without a value does not show as bad', async () => {
  const { admin } = appliance.service;
  const tag = { path: 'order/next', type: 'text', writable: true, source: { provider: 'memory' } };
  await admin.ok('POST', `${P}/tags`, tag);
  await page.goto(at('tags'));
  await tagRow('order/next').getByText('No value yet').waitFor();
  await page.getByText('1 has bad quality.').waitFor();
  expect(await tagRow('order/next').getAttribute('class')).not.toContain('warning-edge');
  await admin.ok('DELETE', `${P}/tags/order%2Fnext`);
});

test('the trend opens with recorded tags, and all its controls are in one row', async () => {
  await page.goto(at('trend'));
  await page
    .getByRole('img', { name: /Trend of line7\/filler\/speed/ })
    .locator('canvas')
    .waitFor();
  const tops = await Promise.all(
    ['7 d', 'Add tag', 'Zoom in', 'Show as table'].map((name) => page.getByRole('button', { name }).boundingBox()),
  );
  expect(new Set(tops.map((box) => box?.y)).size).toBe(1);
  expect(await page.getByRole('button', { name: 'Remove line7/filler/speed' }).count()).toBe(0);
});

test('bad quality is shown with its reason, and can be shown on its own', async () => {
  await page.goto(at('tags'));
  await page.getByText('1 has bad quality.').waitFor();
  await page.getByRole('button', { name: 'Bad quality (1)' }).click();
  await page.getByText('127.0.0.1:1502 is an address of this machine').first().waitFor();
  await expect.poll(() => tagRow('order/current').count()).toBe(0);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByLabel('Path or title').fill('filler');
  await expect.poll(() => tagRow('line7/tank/level').count()).toBe(0);
  await page.getByLabel('Path or title').fill('');
});

test('thousands of tags are imported after a preview, and only the visible ones are read', async () => {
  await page.goto(at('tags'));
  const items = Array.from({ length: 3_000 }, (_, index) => ({
    path: `hall/${String(Math.floor(index / 100)).padStart(2, '0')}/t${String(index % 100).padStart(2, '0')}`,
    type: 'number',
    source: { provider: 'memory', initial: index },
  }));
  await page.getByRole('button', { name: 'More actions for tags' }).click();
  await page.getByRole('menuitem', { name: 'Import tags' }).click();
  const form = page.getByRole('dialog', { name: 'Import tags' });
  const file = { name: 'tags.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(items)) };
  await form.locator('input[type=file]').setInputFiles(file);
  await form.getByText('3000 tags are new').waitFor();
  await form.getByText('3 tags are not in the file').waitFor();
  await form.getByRole('button', { name: 'Import tags' }).click();
  await page.getByText('3,003 tags.').waitFor();
  const [read] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/tags/read') && request.postData() !== '{"paths":["**"]}'),
    page.getByRole('row').filter({ hasText: 't07' }).first().waitFor(),
  ]);
  expect((JSON.parse(read.postData() ?? '{}') as { paths: string[] }).paths.length).toBeLessThan(40);
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60);
});

test('a named query is written, tested and saved', async () => {
  await parts(page).getByRole('link', { name: 'Named queries' }).click();
  await page.getByRole('button', { name: 'Create query' }).click();
  await page.getByLabel('Name', { exact: true }).fill('counted');
  await type(page.getByLabel('SQL'), 'SELECT :first + 1 AS next, :word AS word');
  await page.getByRole('button', { name: 'Declare' }).click();
  await page.getByLabel('Type of first').selectOption('Whole number');
  const tried = page.getByRole('region', { name: 'Test run' });
  await tried.getByLabel('first').fill('41');
  await tried.getByLabel('word').fill('Änderung');
  await tried.getByRole('button', { name: 'Run query' }).click();
  await tried.getByText(/^1 row in/).waitFor();
  await tried.getByRole('cell', { name: '42' }).waitFor();
  await tried.getByRole('columnheader', { name: 'next number' }).waitFor();
  await expectAccessible(page, 'the editor of a query');
  await type(page.getByLabel('SQL'), 'SELECT :first, :word FROM nowhere');
  await tried.getByRole('cell', { name: '42' }).waitFor({ state: 'detached' });
  await tried.getByRole('button', { name: 'Run query' }).click();
  await tried.getByRole('alert').filter({ hasText: 'nowhere' }).waitFor();
  await page.getByRole('button', { name: 'Save query' }).click();
  await page.getByText('counted was saved.').waitFor();
  await page.getByRole('button', { name: 'All named queries' }).click();
  await row('counted').getByText('first').waitFor();
  await expectAccessible(page, 'named queries');
});

test('tables and columns of the database are listed next to the SQL, and a press inserts them', async () => {
  const { admin } = appliance.service;
  const run = (sql: string) =>
    admin.ok('POST', `${P}/queries/test`, { query: { id: 'draft', connection: 'embedded', sql }, params: {} });
  await page.getByRole('button', { name: 'Create query' }).click();
  const open = page.getByRole('button', { name: 'Tables and columns' });
  await open.click();
  const pane = page.getByRole('region', { name: 'Tables and columns' });
  await pane.getByText('The database has no tables.').waitFor();
  await run('CREATE TABLE scales (id INTEGER PRIMARY KEY, "net weight" REAL)');
  await run('CREATE TABLE shifts (id INTEGER PRIMARY KEY)');
  await pane.getByRole('button', { name: 'Read the tables again' }).click();
  await type(page.getByLabel('SQL'), 'SELECT ');
  await pane.getByLabel('Find a table or column').fill('weight');
  await expect.poll(() => pane.getByRole('button', { name: /^Columns of/ }).count()).toBe(1);
  await pane.getByRole('button', { name: 'Columns of scales' }).click();
  await pane.getByRole('button', { name: 'Insert "net weight"' }).click();
  await page.keyboard.insertText(' FROM ');
  await pane.getByRole('button', { name: 'Insert scales' }).click();
  await expect.poll(() => page.getByLabel('SQL').innerText()).toContain('SELECT "net weight" FROM scales');
  await expectAccessible(page, 'tables beside the SQL');
  await open.click();
  expect(await pane.count()).toBe(0);
  const answer = await viewer.request.get(`${appliance.service.ready.ui}/api/v1${P}/connections/embedded/schema`);
  expect(answer.status()).toBe(403);
  await page.getByRole('button', { name: 'All named queries' }).click();
});

test('a variable is created, changed and deleted; invalid JSON is reported', async () => {
  await page.goto(at('variables'));
  await page.getByRole('button', { name: 'Create variable' }).click();
  const form = page.getByRole('dialog', { name: 'New variable' });
  await form.getByLabel('Name').fill('..');
  await form.getByText('they cannot be used in a URL').waitFor();
  await form.getByLabel('Name').fill('shift/current');
  await form.getByRole('button', { name: 'Create variable' }).click();
  await form.getByText('Invalid JSON.').waitFor();
  await type(form.getByLabel('Value as JSON'), '"early"');
  await form.getByRole('button', { name: 'Create variable' }).click();
  await row('shift/current').getByText('"early"').waitFor();
  await expectAccessible(page, 'variables');
  await page.getByRole('button', { name: 'Actions for shift/current' }).click();
  await page.getByRole('menuitem', { name: 'Edit variable' }).click();
  const change = page.getByRole('dialog', { name: 'Edit shift/current' });
  await type(change.getByLabel('Value as JSON'), '{"n": 2}');
  await change.getByRole('button', { name: 'Save variable' }).click();
  await row('shift/current').getByText('{"n":2}').waitFor();
});

test('a file is uploaded, viewed, downloaded and deleted', async () => {
  await page.goto(at('files'));
  await page.getByText('No files yet').waitFor();
  const buffer = Buffer.from('sku,count\nWB-0750,12\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'stock.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'stock.csv', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'stock.csv' });
  await shown.getByRole('cell', { name: 'WB-0750' }).waitFor();
  await expectAccessible(page, 'a file');
  const [kept] = await Promise.all([
    page.waitForEvent('download'),
    shown.getByRole('button', { name: 'Download file' }).click(),
  ]);
  expect(kept.suggestedFilename()).toBe('stock.csv');
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Create file' }).click();
  await page.getByLabel('Path', { exact: true }).fill('recipes/a.json');
  await type(page.getByLabel('Content'), '{"a": 1}');
  await page.getByRole('dialog').getByRole('button', { name: 'Create file' }).click();
  await page.getByRole('button', { name: 'recipes/' }).click();
  await row('a.json').getByText('8 B').waitFor();
  await expectAccessible(page, 'files');
  await page.getByRole('button', { name: 'Actions for a.json' }).click();
  await page.getByRole('menuitem', { name: 'Delete file' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click();
  await page.getByText('recipes/a.json was deleted.').waitFor();
});

test('a library script is written, saved and tested', async () => {
  await page.goto(at('scripts'));
  await page.getByRole('button', { name: 'Create script' }).click();
  await page.getByLabel('Name', { exact: true }).fill('total');
  await type(
    page.getByLabel('Code'),
    "export default async ({ a }) => { await log('got ' + a); return { sum: a + 1 }; };",
  );
  await page.getByRole('button', { name: 'Save script' }).click();
  await page.getByText('total was saved.').waitFor();
  const tried = page.getByRole('region', { name: 'Test run' });
  await type(tried.getByLabel('Arguments as JSON'), '{"a": 41}');
  await tried.getByRole('button', { name: 'Run script' }).click();
  await tried.getByText('"sum": 42').waitFor();
  await tried.getByText('got 41').waitFor();
  await expectAccessible(page, 'the editor of a script');
  await type(tried.getByLabel('Arguments as JSON'), 'null');
  await tried.getByRole('button', { name: 'Run script' }).click();
  await tried.getByRole('alert').filter({ hasText: 'The script failed.' }).waitFor();
  await page.getByRole('button', { name: 'All scripts' }).click();
  await expectAccessible(page, 'scripts');
});

test('a Viewer sees all of it, and is offered no change', async () => {
  for (const [part, seen] of [
    ['tags', 'hall/00/'],
    ['queries', 'counted'],
    ['variables', 'shift/current'],
    ['files', 'stock.csv'],
    ['scripts', 'total'],
  ] as const) {
    await viewer.goto(at(part));
    await viewer.getByRole('row').filter({ hasText: seen }).first().waitFor();
    await viewer.getByText('changes need the permission “Edit pipelines”').waitFor();
    expect(await viewer.getByRole('button', { name: /^(?:Create|Upload|Delete|Save|Write)/ }).count(), part).toBe(0);
  }
  await viewer.getByRole('button', { name: 'total' }).click();
  await viewer.getByLabel('Code').waitFor();
  expect(await viewer.getByRole('button', { name: /^(?:Run|Save|Delete) script/ }).count()).toBe(0);
  await viewer.goto(`${at('tags')}?tag=order%2Fcurrent`);
  await viewer.getByText('Writing a value requires the permission “Edit pipelines”.').waitFor();
  await expectAccessible(viewer, 'tags for a Viewer');
});

test('deleting resources in use names the pipelines that use them', async () => {
  const { admin } = appliance.service;
  const nodes = [{ id: 'n', kind: 'named-query', settings: { query: 'counted' } }];
  await admin.ok('POST', `${P}/pipelines`, { id: 'counting', name: 'Counting', nodes });
  await page.goto(`${at('queries')}?open=counted`);
  await page.getByRole('button', { name: 'Delete query' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete counted?' });
  await dialog.getByRole('link', { name: 'Counting' }).waitFor();
  await dialog.getByRole('button', { name: 'Delete query' }).click();
  await page.getByText('counted was deleted.').waitFor();
});
