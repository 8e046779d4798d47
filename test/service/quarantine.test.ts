import { afterAll, beforeAll, expect, test } from 'vitest';
import { STOPPED_STATUS } from '#common/errors/gateway-codes.ts';
import { journalRows } from '#test/journal-rows.ts';
import { type MiddleNode, routePipeline } from '#test/route-pipeline.ts';
import { nextGateway } from '#test/next-gateway.ts';
import { startService, type TestService } from '#test/service.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { smallPlugin } from './plugin-package.ts';

/** A node that blocks the gateway's event loop, in the whole service: a trusted plugin, which runs in the gateway itself. */
const BACK = { timeoutMs: 60_000 };
const dir = dirPerFile();
let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.setUp();
  const { admin } = service;
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  const archive = await smallPlugin(dir.path, {
    id: 'loop',
    trusted: true,
    code: `export default { loop: ({ payload }) => { for (; payload.body.loop;); return { payload }; } };`,
    kinds: [{ id: 'loop', title: 'Loop', summary: 'Loops when it is asked to.' }],
  });
  const { digest } = await admin.ok<{ digest: string }>('POST', '/plugins', { archive });
  await admin.ok('POST', '/plugins/loop/approve', { digest, confirm: 'trust loop' });
  await publish('calm', []);
  await publish('blocks', [{ kind: 'loop' }]);
});
afterAll(() => service?.stop());

async function publish(id: string, middle: MiddleNode[]): Promise<void> {
  const definition = routePipeline({ id, path: `/${id}`, method: 'POST', middle });
  await service.admin.ok('POST', '/projects/line-1/pipelines', definition);
  await service.admin.ok('POST', `/projects/line-1/pipelines/${id}/start`, {});
}
async function makeKey(): Promise<string> {
  return (await service.admin.ok<{ key: string }>('POST', '/projects/line-1/keys', { name: 'MES', scopes: [] })).key;
}
const statusOf = async (id: string, loop: boolean, secret: string): Promise<number> => {
  const headers = { 'X-API-Key': secret, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ loop });
  return (await fetch(`${service.ready.gateway}/${id}`, { method: 'POST', headers, body })).status;
};
const alarm = async (code: string) => (await service.status()).alarms.find((one) => one.code === code)?.text ?? '';

async function block(secret: string): Promise<void> {
  const { pid } = (await service.status()).gateway;
  await expect(statusOf('blocks', true, secret)).rejects.toThrow();
  await nextGateway(service, pid, BACK);
}

test('a node that blocks the gateway is named after the first time; after the second its pipeline stays stopped until a user starts it', async () => {
  const secret = await makeKey();
  expect([await statusOf('blocks', false, secret), await statusOf('calm', false, secret)]).toEqual([200, 200]);
  await block(secret);
  expect(await alarm('pipeline_blocked')).toContain('blocks (line-1), node ');
  expect(await statusOf('blocks', false, secret)).toBe(200);

  await block(secret);
  expect(await alarm('pipeline_quarantined')).toContain('blocks (line-1), node ');
  expect([await statusOf('blocks', false, secret), await statusOf('calm', false, secret)]).toEqual([
    STOPPED_STATUS,
    200,
  ]);
  const acts = (await journalRows(service.dataDir, 'host')).filter(({ act }) => act === 'pipeline.quarantine');
  expect(acts).toMatchObject([{ project: 'line-1', pipeline: 'blocks' }]);

  await service.admin.ok('POST', '/projects/line-1/pipelines/blocks/start', {});
  expect([await alarm('pipeline_quarantined'), await statusOf('blocks', false, secret)]).toEqual(['', 200]);
});
