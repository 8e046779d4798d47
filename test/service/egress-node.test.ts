import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '#test/gateway.ts';

/** The REST API node in both modes, over the real gateway: a caller, a pipeline, a target. */
interface Taken {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const SECRET = 'Bearer correct-battery-staple';
/** An address without a listener. */
const NOBODY = '127.0.0.1:9';

let target: Server;
let gateway: TestGateway;
let taken: Taken[];

beforeAll(async () => {
  target = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const address = target.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  gateway = await startGateway({
    pipelines: [report(host, 'stored', true), report(host, 'direct', false), kept()],
    settings: { allowedInternalTargets: [host, NOBODY] },
  });
});
afterAll(async () => {
  await gateway?.stop();
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
});
beforeEach(() => (taken = []));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  taken.push({ method, url, headers, body: await json(request) });
  response.writeHead(201, { 'content-type': 'application/json', 'x-made': 'yes' }).end('{"made":1}');
}

/** in → call → reply, which shows the whole payload after the call. */
function report(host: string, id: string, storeAndForward: boolean) {
  const route = { mode: 'ingress', method: 'POST', urlPattern: `/${id}/:order`, authType: 'none' };
  const call = {
    mode: 'egress',
    url: `http://${host}/orders/{{payload.params.order}}?line={{payload.query.line}}`,
    method: 'PUT',
    staticHeaders: { Authorization: SECRET },
    timeout: 10,
    storeAndForward,
  };
  const assign = [
    { path: 'payload.body', from: 'payload' },
    { path: 'payload.status', value: 200 },
  ];
  return {
    id,
    name: id,
    nodes: [
      { id: 'in', kind: 'rest-api', settings: route },
      { id: 'call', kind: 'rest-api', settings: call },
      { id: 'show', kind: 'set', settings: { assign } },
      { id: 'out', kind: 'http-response', settings: {} },
    ],
    wires: [
      { from: 'in', port: 'out', to: 'call' },
      { from: 'call', port: 'response', to: 'show' },
      { from: 'show', port: 'out', to: 'out' },
    ],
  };
}

/** The call is stored for a target that does not respond, and answered. */
function kept() {
  const { nodes, wires, ...pipeline } = report(NOBODY, 'kept', true);
  const call = { ...nodes[1]?.settings, timeout: 2 };
  return {
    ...pipeline,
    nodes: nodes.map((node) => (node.id === 'call' ? { ...node, settings: call } : node)),
    wires: [...wires, { from: 'call', port: 'queued', to: 'out' }],
  };
}

async function send(pipeline: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`http://127.0.0.1:${gateway.port}/${pipeline}/a%2F7?line=%C3%A9%26x`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"good":40}',
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}

test.each(['stored', 'direct'])(
  'a %s call reaches its target as its author wrote it, and the pipeline gets the response',
  async (id) => {
    const reply = await send(id);
    expect(reply).toMatchObject({
      status: 200,
      body: { params: { order: 'a/7' }, status: 201, headers: { 'x-made': 'yes' }, body: { made: 1 } },
    });
    expect(taken).toMatchObject([
      {
        method: 'PUT',
        url: '/orders/a%2F7?line=%C3%A9%26x',
        headers: { authorization: SECRET, 'content-type': expect.stringContaining('application/json') },
        body: { good: 40 },
      },
    ]);
    expect(taken[0]?.headers.traceparent).toBeUndefined();
  },
);

test.each(['stored', 'direct'])('a %s call continues the trace of its caller', async (id) => {
  await send(id, { traceparent: TRACE });
  const passed = taken[0]?.headers.traceparent;
  expect(passed).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
  expect(passed).not.toBe(TRACE);
});

test.each(['garbage', `${TRACE}-x`, TRACE.toUpperCase()])(
  'an outgoing call leaves the trace %s unchanged',
  async (traceparent) => {
    await send('direct', { traceparent });
    expect(taken).toHaveLength(1);
    expect(taken[0]?.headers.traceparent).toBeUndefined();
  },
);

test('the traffic of a route counts the replies to queued calls', async () => {
  expect(await send('kept')).toMatchObject({ status: 202 });
  expect(await send('stored')).toMatchObject({ status: 200 });
  const { parts } = await gateway.call('traffic', { epoch: null, cursor: 0 });
  const ofRoute = (id: string) =>
    parts.flatMap(({ routes }) => routes).filter((route) => route.id === `line-1/${id}/in`);
  expect(ofRoute('kept')).toMatchObject([{ calls: 1, undelivered: 1 }]);
  const stored = ofRoute('stored');
  expect(stored.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(0);
  expect(stored.filter(({ undelivered }) => undelivered !== 0)).toEqual([]);
});

test('the value of a header appears in no run and no log', async () => {
  await send('direct');
  const runs = await gateway.call('runs', { project: 'line-1', pipeline: 'direct' });
  expect(runs[0]?.steps.map(({ node }) => node)).toEqual(['in', 'call', 'show', 'out']);
  expect(JSON.stringify([runs, await gateway.journalRows()]) + gateway.log()).not.toContain('battery');
});
