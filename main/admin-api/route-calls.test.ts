import { expect, test } from 'vitest';
import { openApiFaults } from '#common/model/openapi-faults.testing.ts';
import type { RouteRecord } from '#common/model/route-record.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';

harnessPerTest({ project: { id: 'line-7', name: 'Line 7' } });

const PIPELINES = '/projects/line-7/pipelines';
const order = { type: 'object', required: ['orderId'], properties: { orderId: { type: 'string', examples: ['A-1'] } } };

const orders = (settings: Record<string, unknown> = {}) => ({
  id: 'orders',
  name: 'Orders',
  nodes: [
    { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', method: 'POST', urlPattern: '/orders', ...settings } },
    { id: 'check', kind: 'validate', settings: { schema: order } },
    { id: 'log', kind: 'log', settings: { message: '{{payload.query.line}}' } },
    { id: 'out', kind: 'http-response', settings: { status: 201 } },
  ],
  wires: [
    { from: 'in', port: 'out', to: 'check' },
    { from: 'check', port: 'out', to: 'log' },
    { from: 'log', port: 'out', to: 'out' },
  ],
});

const routes = async (who = admin) => (await who.send('GET', '/routes')).body['items'] as RouteRecord[];

test('the started revision counts, and the draft is shown beside it', async () => {
  await admin.send('POST', PIPELINES, orders());
  expect(await routes()).toMatchObject([{ pattern: '/orders', state: 'stopped', answers: false, draft: 'same' }]);
  await admin.send('POST', `${PIPELINES}/orders/start`);
  await admin.send('PUT', `${PIPELINES}/orders`, orders({ urlPattern: '/orders-2' }));
  expect(await routes()).toMatchObject([{ pattern: '/orders', state: 'running', answers: true, draft: 'changed' }]);
});

test('users who may view see the routes and the address for callers, without the settings', async () => {
  await admin.send('PATCH', '/settings', { baseUrl: 'http://edge-7' });
  await admin.send('POST', PIPELINES, orders());
  const viewer = await harness.personWith(admin, 'view');
  expect((await viewer.send('GET', '/settings')).status).toBe(403);
  const { port } = harness.gateway;
  const { body } = await viewer.send('GET', '/routes');
  expect(body).toMatchObject({ address: `http://edge-7:${port ?? 8090}`, items: [{ node: 'in' }] });
  expect((await harness.nobody.send('GET', '/routes')).status).toBe(401);
});

test('one route shows the schema of its body, a sample body, and the names in the query', async () => {
  await admin.send('POST', PIPELINES, orders());
  const { body } = await admin.send('GET', `${PIPELINES}/orders/routes/in`);
  expect(body).toMatchObject({ bodySchema: order, sampleBody: { orderId: 'A-1' }, queryNames: ['line'] });
  expect((await admin.send('GET', `${PIPELINES}/orders/routes/out`)).body['code']).toBe('unknown');
  expect((await admin.send('GET', `${PIPELINES}/other/routes/in`)).body['code']).toBe('unknown');
});

test('the OpenAPI document has the routes that are served, and with drafts=true all', async () => {
  await admin.send('POST', PIPELINES, orders());
  const read = async (query = '') => (await admin.send('GET', `/projects/line-7/openapi.json${query}`)).body;
  expect((await read())['paths']).toEqual({});
  expect(Object.keys((await read('?drafts=true'))['paths'] as object)).toEqual(['/orders']);
  await admin.send('POST', `${PIPELINES}/orders/start`);
  await admin.send('PUT', `${PIPELINES}/orders`, orders({ urlPattern: '/orders-2' }));
  const document = await read();
  expect(Object.keys(document['paths'] as object)).toEqual(['/orders']);
  expect(document['info']).toMatchObject({ title: 'Line 7', version: expect.stringMatching(/^1-[0-9a-f]{8}$/) });
  expect(openApiFaults(document)).toEqual([]);
  expect((await admin.send('GET', '/projects/line-7/openapi.json?drafts=yes')).body['code']).toBe('invalid');
  expect((await admin.send('GET', '/projects/line-8/openapi.json')).body['code']).toBe('unknown');
});

test('the version of the document changes only with the started revisions', async () => {
  const info = async (headers = {}) => {
    const { body } = await admin.send('GET', '/projects/line-7/openapi.json', undefined, headers);
    return (body['info'] as { version: string }).version;
  };
  await admin.send('POST', PIPELINES, orders());
  await admin.send('POST', `${PIPELINES}/orders/start`);
  const first = await info();
  await admin.send('PUT', `${PIPELINES}/orders`, orders({ description: 'Takes orders.' }));
  await admin.send('PATCH', '/settings', { baseUrl: 'http://edge-8' });
  expect(await info()).toBe(first);
  await admin.send('POST', `${PIPELINES}/orders/start`);
  expect(await info()).toMatch(/^2-/);
});

test('the servers of the document are those that callers reach', async () => {
  const servers = async () =>
    (await admin.send('GET', '/projects/line-7/openapi.json')).body['servers'] as { url: string }[];
  const port = harness.gateway.port ?? 8090;
  await admin.send('PATCH', '/settings', { baseUrl: 'http://EDGE-1' });
  expect((await servers()).map(({ url }) => url)).toEqual([`http://127.0.0.1:${port}`, `http://EDGE-1:${port}`]);
  await admin.send('PATCH', '/settings', { baseUrl: 'https://line.example' });
  expect((await servers()).map(({ url }) => url)).toEqual([`https://line.example:${port}`]);
});

test('a thousand pipelines, started and changed since then, are listed at once', async () => {
  // In one transaction: otherwise, on a slow disk, the connection of the log-in could time out.
  harness.projects.atOnce(() => {
    for (let index = 0; index < 1000; index++) {
      const definition = { ...orders({ urlPattern: `/orders/${index}` }), id: `p-${index}`, grants: [] };
      const whole = { ...definition, nodes: definition.nodes.map((node) => ({ ...node, position: { x: 0, y: 0 } })) };
      harness.projects.createPipeline('line-7', { ...whole, runAs: 'caller' }, 'Ada');
      harness.projects.setWanted('line-7', definition.id, 1);
      harness.projects.savePipeline('line-7', { ...whole, runAs: 'caller', name: 'Later' }, 'Ada');
    }
  });
  const before = performance.now();
  expect(await routes()).toHaveLength(1000);
  const ms = performance.now() - before;
  console.log(`GET /routes with 1,000 pipelines: ${ms.toFixed(0)} ms`);
  expect(ms).toBeLessThan(5000);
});
