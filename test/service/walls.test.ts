import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { call } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { startService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { smallPlugin } from './plugin-package.ts';

/** The access of code inside the gateway: a trusted plugin, which runs in the gateway itself. */
const PLUGIN = new URL('walls-plugin.js', import.meta.url);
const NOTHING = { project: TEST_PROJECT, connections: [], queries: [], tags: [], scripts: [] };

test('code in the gateway cannot read a file of the host, start a program or evaluate text', async () => {
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
  await admin.run('line-1', definition);
  const { key } = await admin.ok<{ key: string }>('POST', '/projects/line-1/keys', { name: 'MES', scopes: [] });

  const reply = await fetch(`${ready.gateway}/walls`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ places: { data, host, cwd: process.cwd() } }),
  });
  expect(await reply.json()).toEqual({ open: [], there: true });
  expect((await service.status()).gateway.state).toBe('running');
});

test.skipIf(process.platform === 'win32')('a data folder and folders in it may be links to other disks', async () => {
  await using disk = await tempDir();
  const dataDir = join(disk.path, 'data');
  for (const [link, to] of [
    ['data', 'here'],
    ['data/projects', 'other'],
    ['data/journal', 'third'],
  ] as const) {
    mkdirSync(join(disk.path, to));
    symlinkSync(join(disk.path, to), join(disk.path, link));
  }
  const key = makeKey({ scopes: ['file:write', 'db:write', 'vars:write'] });
  const nodes = [
    { kind: 'variable-write', settings: { name: 'v', from: 'payload.body' } },
    { kind: 'file-write', settings: { path: 'f.json', format: 'json' } },
    { kind: 'sql', settings: { sql: 'CREATE TABLE t (a)' } },
  ];
  const kept = routePipeline({ id: 'kept', path: '/kept', method: 'POST', middle: nodes });
  await using gateway = await startGateway({ dataDir, keys: [key], pipelines: [kept], resources: [NOTHING] });
  const headers = { 'content-type': 'application/json' };
  const { status } = await call(gateway.port, { method: 'POST', path: '/kept', key: key.value, headers, body: '{}' });
  expect([status, await gateway.journalRows()]).toEqual([200, expect.arrayContaining([expect.anything()])]);
  expect(readdirSync(join(disk.path, 'other/line-1'))).toEqual(
    expect.arrayContaining(['data.sqlite', 'files', 'variables.sqlite']),
  );
});
