import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { routePipeline } from '#test/route-pipeline.ts';
import { startService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { smallPlugin } from './plugin-package.ts';

/** What code inside the gateway can reach: a trusted plugin, which runs in the gateway itself. */
const PLUGIN = new URL('walls-plugin.js', import.meta.url);

test('code in the gateway reaches no file of the host, starts no program and runs no text', async () => {
  await using dir = await tempDir();
  await using service = await startService();
  await service.setUp();
  const { admin, dataDir: data, ready, pid: host } = service;
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  const archive = await smallPlugin(dir.path, {
    id: 'walls',
    trusted: true,
    code: await readFile(PLUGIN, 'utf8'),
    kinds: [{ id: 'walls', title: 'Walls', summary: 'Tries what must not be possible.' }],
  });
  const { digest } = await admin.ok<{ digest: string }>('POST', '/plugins', { archive });
  await admin.ok('POST', '/plugins/walls/approve', { digest, confirm: 'trust walls' });
  const definition = routePipeline({ id: 'walls', path: '/walls', method: 'POST', middle: [{ kind: 'walls' }] });
  await admin.ok('POST', '/projects/line-1/pipelines', definition);
  await admin.ok('POST', '/projects/line-1/pipelines/walls/start', {});
  const { key } = await admin.ok<{ key: string }>('POST', '/projects/line-1/keys', { name: 'MES', scopes: [] });

  const reply = await fetch(`${ready.gateway}/walls`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ places: { data, host, cwd: process.cwd() } }),
  });
  expect(await reply.json()).toEqual({ open: [], there: true });
  expect((await service.status()).gateway.state).toBe('running');
});
