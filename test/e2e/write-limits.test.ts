import type { Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { CLEAN, type Watch } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/** Write limits of a tag and the stop of writes, as an Engineer, an Operator and a Viewer. */
const P = '/projects/line-7';
const SPEED = 'line7/speed';
const WORDS =
  'Only while line7/mode = Remote and not older than 3,600 s; 0 to 240; at most 10 a second; at most ±5 a step';

const appliance = applianceOfFile();
let page: Page;
const watches: Watch[] = [];

const open = async (role: 'Engineer' | 'Operator' | 'Viewer', options: object = {}) => {
  const opened = await appliance.window(role, options);
  watches.push(opened.watch);
  return opened.page;
};
const tags = (query = '') => `${appliance.service.ready.ui}/data/tags${query}`;

beforeAll(async () => {
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const tag = (path: string, type: string, initial: unknown) =>
    admin.ok('POST', `${P}/tags`, { path, type, writable: true, source: { provider: 'memory', initial } });
  await tag('line7/mode', 'text', 'Local');
  await tag(SPEED, 'number', 100);
  page = await open('Engineer');
});

afterEach(() => {
  expect(watches).toEqual(watches.map(() => CLEAN));
});

test('an Engineer limits the writes of a tag, with a preview as text', async () => {
  await page.goto(tags(`?tag=${encodeURIComponent(SPEED)}`));
  await page.getByRole('button', { name: 'Edit tag' }).click();
  const form = page.getByRole('dialog', { name: `Edit ${SPEED}` });
  await form.getByText('No limits yet.').waitFor();
  await form.getByLabel('Smallest value').fill('0');
  await form.getByLabel('Largest value').fill('240');
  await form.getByLabel('Largest step').fill('5');
  await form.getByLabel('Maximum writes a second').fill('10');
  await form.getByRole('button', { name: 'Add condition' }).click();
  const condition = form.getByRole('group', { name: 'Condition 1' });
  await condition.getByLabel('Tag').fill('line7/mode');
  await condition.getByLabel('Value').fill('Remote');
  await condition.getByLabel('Maximum age, s').fill('3600');
  await form.getByText(`As text: ${WORDS}`).waitFor();
  await expectAccessible(page, 'the write limits of a tag');
  await form.getByRole('button', { name: 'Save tag' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText(WORDS).waitFor();
});

test('a wrong limit is shown at its field', async () => {
  await page.getByRole('button', { name: 'Edit tag' }).click();
  const form = page.getByRole('dialog', { name: `Edit ${SPEED}` });
  await form.getByLabel('Largest value').fill('-1');
  await form.getByRole('button', { name: 'Save tag' }).click();
  await form.getByText('expected a number of 0 or more').waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();
});

test('a write that a limit refuses is explained', async () => {
  await page.getByRole('button', { name: 'Write value' }).click();
  const form = page.getByRole('dialog', { name: `Write a value to ${SPEED}` });
  await form.getByLabel('Value').fill('101');
  await form.getByRole('button', { name: 'Write value' }).click();
  await form.getByText(/expects line7\/mode = "Remote"/).waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();
});

test('an Operator stops writes with a reason, every page shows it, and the Operator allows them again', async () => {
  const operator = await open('Operator');
  await operator.goto(tags());
  await operator.getByRole('button', { name: 'Stop writes' }).click();
  const form = operator.getByRole('dialog', { name: 'Stop writes to tags of line-7' });
  await form.getByRole('button', { name: 'Stop writes' }).click();
  await form.getByText('Enter a reason').waitFor();
  await form.getByLabel('Reason').fill('Service of the filler');
  await expectAccessible(operator, 'the stop of writes');
  await form.getByRole('button', { name: 'Stop writes' }).click();
  await form.waitFor({ state: 'detached' });
  await operator.getByText('Writes to all tags are stopped').waitFor();
  await expectAccessible(operator, 'stopped writes');
  const viewer = await open('Viewer');
  await viewer.goto(appliance.service.ready.ui);
  await viewer.getByText('Writes are stopped').filter({ visible: true }).first().waitFor();
  await viewer.goto(tags());
  await viewer.getByText('Writes to all tags are stopped').waitFor();
  expect(await viewer.getByRole('button', { name: 'Allow writes' }).count()).toBe(0);
  await operator.getByRole('button', { name: 'Allow writes' }).click();
  await operator.getByText('Writes to all tags are stopped').waitFor({ state: 'detached' });
});
