import { statfs } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProjectResources } from '#common/model/resources.ts';
import { tagDefinition } from '#common/model/tag.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { call } from '#test/raw-request.ts';
import { until } from '#test/until.ts';
import { type MiddleNode, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';

/**
 * Each node that stores data, on a disk that has less than its reserve free: the caller gets 503, unless the error port
 * is wired. docs/spec/storage.md#a-full-disk.
 */
const key = makeKey({ scopes: ['db:write', 'tag:write', 'vars:write', 'file:write', 'script:execute'] });
const INSERT =
  'CREATE TABLE t AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000) SELECT n, zeroblob(1000) AS b FROM c';
const resources: ProjectResources = {
  project: TEST_PROJECT,
  connections: [],
  queries: [],
  tags: [
    tagDefinition.parse({ path: 'note', type: 'text', writable: true, source: { provider: 'memory', initial: null } }),
  ],
  scripts: [],
};
const NODES: Record<string, MiddleNode> = {
  file: { kind: 'file-write', settings: { path: 'a.txt' } },
  variable: { kind: 'variable-write', settings: { name: 'a', from: 'payload.body' } },
  tag: { kind: 'tag-write', settings: { writes: [{ tag: 'note', from: 'payload.body' }] } },
  sql: { kind: 'sql', settings: { sql: INSERT } },
  transaction: { kind: 'transaction', settings: { statements: [{ sql: INSERT }] } },
  outbox: {
    kind: 'rest-api',
    port: 'queued',
    settings: { mode: 'egress', method: 'POST', url: 'http://127.0.0.1:9/x', staticHeaders: {}, timeout: 1 },
  },
  script: {
    kind: 'transform',
    settings: {
      code: "export default async (m) => { await vars.set('a', m.payload.body); return {}; }",
      scopes: ['vars:write'],
    },
  },
  'unawaited-script': {
    kind: 'transform',
    settings: { code: "export default (m) => { vars.set('a', m.payload.body); return {}; }", scopes: ['vars:write'] },
  },
};
let gateway: TestGateway;
let pipelines: PipelineInput[];
beforeAll(async () => {
  const route = (id: string, middle: MiddleNode[], reply: { status: number; body: string }) =>
    routePipeline({ id, method: 'POST', path: `/${id}`, middle, reply, route: { timeout: 10 } });
  pipelines = [
    ...Object.entries(NODES).map(([id, node]) => route(id, [node], { status: 200, body: 'stored' })),
    route('wired', [{ kind: 'variable-write', settings: { name: 'a', from: 'payload.body' }, port: 'error' }], {
      status: 422,
      body: 'mine',
    }),
  ];
  gateway = await startGateway({
    keys: [key],
    resources: [resources],
    settings: { diskReserveBytes: 1024 ** 4, allowedInternalTargets: ['127.0.0.1:9'] },
    pipelines,
  });
});
afterAll(() => gateway?.stop());

const post = (path: string, { port } = gateway) =>
  call(port, {
    method: 'POST',
    path,
    key: key.value,
    headers: { 'Content-Type': 'text/plain' },
    body: 'x'.repeat(1000),
  });

test.each(Object.keys(NODES))('%s: 503 with a cause and a time to wait', async (name) => {
  const response = await post(`/${name}`);
  const requestId = expectRefusal(response, 'storage_unavailable');
  expect(response.header('retry-after')).toBe('10');
  const [row] = (await gateway.journalRows(requestId)).filter(({ why }) => why !== undefined);
  expect(row).toMatchObject({
    status: 503,
    why: { cause: 'storage_unavailable', compared: { node: expect.anything() } },
  });
});

test('a wired error port replies as its author specifies', async () => {
  expect((await post('/wired')).status).toBe(422);
});

test('the writers of a disk that is nearly full are reported with their pipelines, and those of the journal', async () => {
  const { bavail, bsize } = await statfs(gateway.dataDir);
  const diskReserveBytes = Math.floor((bavail * bsize) / 2);
  const settings = { diskReserveBytes, allowedInternalTargets: ['127.0.0.1:9'] };
  await using other = await startGateway({ keys: [key], resources: [resources], settings, pipelines });
  for (const [pipeline, kind] of [
    ['file', 'files'],
    ['outbox', 'outbox'],
  ] as const) {
    expect((await post(`/${pipeline}`, other)).status).toBe(200);
    const writer = JSON.stringify({ project: TEST_PROJECT, pipeline, kind });
    await until(writer, () => writersOf(other).some((one) => JSON.stringify(one) === writer));
  }
  await until('the journal', () =>
    writersOf(other).some(({ project, kind }) => project === TEST_PROJECT && kind === 'journal'),
  );
});

const writersOf = ({ events }: TestGateway) =>
  events.flatMap((event) => (event.kind === 'disk-writers' ? event.writers : []));
