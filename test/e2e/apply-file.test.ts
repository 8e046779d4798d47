import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright';
import type { ProjectFile } from '#common/model/project-file.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { expectAccessible } from './accessible.ts';
import type { Appliance } from './appliance.ts';
import { CLEAN } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/** Projects → Apply a file: the plan in sentences, then exactly this plan. */
const appliance = applianceOfFile();
let window: Awaited<ReturnType<Appliance['window']>>;
let page: Page;
let file: ProjectFile;

beforeAll(async () => {
  const { admin } = appliance.service;
  await admin.ok('POST', '/projects', { id: 'line-2', name: 'Filling line 2' });
  const pipeline = routePipeline({ id: 'orders', path: '/orders', ...fixedReply('done') });
  await admin.ok('POST', '/projects/line-2/pipelines', pipeline);
  file = await admin.ok<ProjectFile>('GET', '/projects/line-2/export');
  window = await appliance.window('Administrator');
  page = window.page;
});

afterEach(() => expect(window.watch).toEqual(CLEAN));

async function choose(content: object): Promise<ReturnType<Page['getByRole']>> {
  await page.goto(`${appliance.service.ready.ui}/projects`);
  await page.getByRole('button', { name: 'Actions for Filling line 2' }).click();
  await page.getByRole('menuitem', { name: 'Apply a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Apply a file to Filling line 2' });
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose file' }).click();
  const buffer = Buffer.from(JSON.stringify(content));
  await (await chooser).setFiles({ name: 'line.sluice.json', mimeType: 'application/json', buffer });
  return dialog;
}

test('the plan says what changes, and its apply changes that', async () => {
  const pipelines = file.pipelines.map((one) => ({ ...one, name: 'Orders of the line' }));
  const dialog = await choose({ ...file, pipelines });
  await dialog.getByText('The pipeline "orders" changes (name)').waitFor();
  await expectAccessible(page, 'Apply a file');
  await dialog.getByRole('button', { name: 'Apply plan' }).click();
  await page.getByRole('status').filter({ hasText: '1 change was applied to Filling line 2.' }).waitFor();
  const stored = await appliance.service.admin.ok<{ name: string }>('GET', '/projects/line-2/pipelines/orders');
  expect(stored.name).toBe('Orders of the line');
  const again = await choose({ ...file, pipelines });
  await again.getByText('The project equals the file.').waitFor();
});

test('a file of something else is refused and named', async () => {
  const dialog = await choose({ sluice: 'other' });
  await dialog.getByText('“line.sluice.json” was not exported from Sluice.').waitFor();
});
