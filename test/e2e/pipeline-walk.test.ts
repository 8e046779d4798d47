import { expect, test } from 'vitest';
import { until } from '#test/until.ts';
import { CLEAN } from './chromium.ts';
import { countClicks } from './counted-clicks.ts';
import { applianceOfFile } from './file-appliance.ts';

/** From nothing to a reply: a route with a schema, a table, a tag that did not exist, and replies. */
const CLICKS_MAX = 25;

const appliance = applianceOfFile();

test('a pipeline with schema, tag, database and reply is made in few clicks, without leaving the editor', async () => {
  const { admin, gatewayPort, ready } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line', name: 'Filling line' });
  const { page, watch, close } = await appliance.window('Administrator');
  await page.goto(`${ready.ui}/pipelines`);
  const clicks = await countClicks(page);

  await page
    .getByRole('link', { name: /pipeline$/ })
    .first()
    .click();
  await page.getByLabel('Name', { exact: true }).fill('Weights');
  await page.getByRole('radio', { name: /^Store measurements in a database/ }).check();
  await page.getByRole('button', { name: 'Create pipeline' }).click();
  await page.getByRole('heading', { name: 'Weights', level: 1 }).waitFor();
  const editor = page.url();

  await page.getByRole('button', { name: /^store,/ }).click();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Add a node' }).waitFor();
  await page.keyboard.type('Write tags');
  await page.getByRole('option', { name: 'Write tags', selected: true }).waitFor();
  await page.keyboard.press('Enter');

  const panel = page.getByRole('complementary', { name: 'Settings' });
  await panel.getByRole('button', { name: 'Add to Writes' }).click();
  await panel.getByLabel('Tag', { exact: true }).fill('line7/weight');
  await panel.getByRole('group', { name: 'Create it in memory:' }).getByRole('button', { name: 'Number' }).click();
  await panel.getByLabel('Source of the value').selectOption('From');
  await panel.getByLabel('From', { exact: true }).fill('payload.body.grams');
  await panel.getByRole('button', { name: 'Require tag:write' }).click();

  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Run test' }).click();
  await page.locator('.result-pane').getByText('201', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Start draft/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Start/ })
    .click();
  await page
    .getByText(/^Revision \d+ is running$/)
    .first()
    .waitFor();
  expect(await clicks()).toBeLessThanOrEqual(CLICKS_MAX);
  expect(page.url()).toBe(editor);

  const { key } = await admin.ok<{ key: string }>('POST', '/projects/line/keys', {
    name: 'Scale',
    scopes: ['db:write', 'tag:write'],
  });
  const call = (body: unknown) =>
    fetch(`http://127.0.0.1:${gatewayPort}/api/v1/weights`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify(body),
    });
  expect((await call({ line: '7', grams: 512.5 })).status).toBe(201);
  expect((await call({ line: '7', grams: 'heavy' })).status).toBe(400);
  await until('the tag has the weight', async () => {
    const read = await admin.ok<{ items: { value: unknown }[] }>('POST', '/projects/line/tags/read', {
      paths: ['line7/weight'],
    });
    return read.items[0]?.value === 512.5;
  });
  expect(watch).toEqual(CLEAN);
  await close();
});
