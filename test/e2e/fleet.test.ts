import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { natsServer } from '#test/nats-program.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { type TempDir, tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { sluiceOk } from '../fleet/sluice.ts';
import { expectAccessible } from './accessible.ts';
import { type Appliance, startAppliance } from './appliance.ts';
import { CLEAN } from './chromium.ts';

/** The fleet in the window: on a hub with one edge that runs and one that never did, and on that edge. */
let folder: TempDir;
let hub: Appliance;
let edge: Appliance;

async function joined(name: string): Promise<string> {
  const dataDir = `${folder.path}/${name}`;
  const token = await sluiceOk('hub', 'token', name, '--data', hub.service.dataDir);
  await sluiceOk('join', token, '--data', dataDir, '--secret-store', 'file');
  return dataDir;
}

beforeAll(async () => {
  folder = await tempDir('sluice-fleet-page-');
  const port = await freePort();
  const flags = [
    '--nats-host=127.0.0.1',
    `--nats-port=${port}`,
    `--address=127.0.0.1:${port}`,
    `--nats-server=${natsServer() ?? ''}`,
  ];
  hub = await startAppliance(flags, { command: 'hub' });
  const { admin } = hub.service;
  await admin.ok('POST', '/projects', { id: 'line', name: 'Filling line' });
  await admin.run('line', routePipeline({ id: 'count', path: '/count', ...fixedReply('one') }));
  await admin.ok('POST', '/projects/line/keys', { name: 'MES' });
  await joined('line-8');
  edge = await startAppliance([], { dataDir: await joined('line-7') });
  await sluiceOk('hub', 'assign', 'line', 'line-7', '--data', hub.service.dataDir);
  await until(
    'the assignment is in force',
    async () => {
      const { edges } = await admin.ok<{ edges: { have: { epoch: number } | null }[] }>('GET', '/fleet');
      return edges.some(({ have }) => have?.epoch === 1);
    },
    { timeoutMs: 40_000, everyMs: 50 },
  );
}, 120_000);

afterAll(async () => {
  await edge?.stop();
  await hub?.stop();
  await folder?.remove();
}, 60_000);

test('the hub lists its edges and which of them accept a key; a revocation names the edges that have not confirmed it', async () => {
  const { page, watch, close } = await hub.window('Administrator');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await page.goto(`${hub.service.ready.ui}/settings/fleet`);
  await page.getByText('1 of 2 edges are connected.').waitFor();
  await row('line-7').getByText('Connected', { exact: true }).waitFor();
  await row('line-7').getByText('No. 1 in force').waitFor();
  await row('line-8').getByText('No contact yet').waitFor();
  await page.getByLabel('API key').selectOption({ label: 'MES, Filling line' });
  await row('line-7').getByText('Accepted', { exact: true }).waitFor();
  await row('line-8').getByText('Not on this edge').waitFor();
  await expectAccessible(page, 'Fleet');
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1024, height: 768 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1024);
  if (size) await page.setViewportSize(size);

  await page.getByRole('link', { name: 'API keys' }).click();
  await row('MES').getByRole('button', { name: 'Actions for MES' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('checkbox').check();
  await question.getByRole('button', { name: 'Revoke' }).click();
  const result = page.getByRole('dialog', { name: 'Revoked: MES' });
  await result.getByText('1 of 2 edges have confirmed the revocation.').waitFor();
  await result.getByRole('region', { name: 'Confirmed' }).getByText('line-7').waitFor();
  await result.getByRole('region', { name: 'Cut off' }).getByText('line-8, no contact since the hub started').waitFor();
  await expectAccessible(page, 'Revoked: MES');
  await result.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(watch).toEqual(CLEAN);
  await close();
});

test('an edge shows its hub and what the hub manages', async () => {
  const { page, watch, close } = await edge.window('Administrator');
  await page.goto(`${edge.service.ready.ui}/settings/fleet`);
  await page.getByText('This Sluice is the edge line-7 of a fleet.').waitFor();
  await page.getByText('The project Filling line with its API keys').waitFor();
  await expectAccessible(page, 'Fleet of an edge');
  await page.goto(`${edge.service.ready.ui}/pipelines`);
  await page.getByText(/manages the project Filling line and its API keys/).waitFor();
  expect(watch).toEqual(CLEAN);
  await close();
});
