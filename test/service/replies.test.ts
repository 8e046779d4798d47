import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayEvent } from '#common/control/messages.ts';
import { expectRefusal } from '#test/expect-refusal.ts';
import { pipelineStart, startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, TEST_PROJECT } from '#test/make-key.ts';
import { call, openRaw, requestBytes } from '#test/raw-request.ts';
import { fixedReply, type MiddleNode, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** Replies (docs/spec/requests.md#replies): a pipeline's reply as it is sent, and the behaviour without one. */
const key = makeKey();
const transform = (code: string): MiddleNode => ({ kind: 'transform', settings: { code: `export default ${code}` } });
const assign = (...list: object[]): MiddleNode => ({ kind: 'set', settings: { assign: list } });
let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startGateway({ keys: [key] });
});
afterAll(() => gateway?.stop());

/** Starts a separate pipeline and calls it once. */
async function reply(pipeline: PipelineInput, path: string, body?: string | Uint8Array) {
  await gateway.change({ kind: 'start', start: pipelineStart(pipeline) });
  const request = {
    method: body === undefined ? 'GET' : 'POST',
    path,
    key: key.value,
    ...(body !== undefined && { body }),
  };
  return call(gateway.port, request);
}
const own = (options: Parameters<typeof routePipeline>[0]) => {
  count += 1;
  const path = `/r/${count}`;
  return { path, pipeline: routePipeline({ id: `r-${count}`, path, ...options }) };
};
const once = (options: Parameters<typeof routePipeline>[0], body?: string | Uint8Array) => {
  const { path, pipeline } = own({ ...options, method: body === undefined ? 'GET' : 'POST' });
  return reply(pipeline, path, body);
};

describe('content types', () => {
  test.each<[string, unknown, string | undefined, string]>([
    ['an object', { a: 1 }, 'application/json', '{"a":1}'],
    ['an array', [1, 2], 'application/json', '[1,2]'],
    ['a number', 42, 'application/json', '42'],
    ['zero', 0, 'application/json', '0'],
    ['true', true, 'application/json', 'true'],
    ['false', false, 'application/json', 'false'],
    ['a string', 'grün', 'text/plain; charset=utf-8', 'grün'],
    ['an empty string', '', 'text/plain; charset=utf-8', ''],
  ])('%s', async (_name, body, type, text) => {
    const response = await once(fixedReply(body));
    expect([response.status, response.text()]).toEqual([200, text]);
    expect(response.header('content-type')?.replace('application/json; charset=utf-8', 'application/json')).toBe(type);
    expect(response.header('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(response.header('x-content-type-options')).toBe('nosniff');
    expect(response.header('x-request-id')).toBeDefined();
  });

  test('null becomes an empty body', async () => {
    const response = await once({ middle: [assign({ path: 'payload.body', value: null })] });
    expect([response.status, response.body.length, response.header('content-length')]).toEqual([200, 0, '0']);
  });

  test('bytes are returned as they were sent', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const response = await once({ middle: [] }, bytes);
    expect(response.header('content-type')).toBe('application/octet-stream');
    expect(Buffer.from(bytes).equals(response.body)).toBe(true);
  });

  test('204 has neither a body nor a length', async () => {
    const response = await once(fixedReply({ ignored: true }, 204));
    expect([response.status, response.body.length, response.header('content-length')]).toEqual([204, 0, undefined]);
  });

  test('HTML is sandboxed, so that it cannot act as a page of this machine', async () => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8' };
    const response = await once({ middle: [], reply: { body: '<h1>hi</h1>', headers } });
    expect(response.header('content-type')).toBe('text/html; charset=utf-8');
    expect(response.header('content-security-policy')).toBe('sandbox');
    expect(response.header('x-content-type-options')).toBe('nosniff');
  });

  test('extra headers are templates over the message', async () => {
    const response = await once({ middle: [], reply: { body: 'x', headers: { 'X-Line': 'line {{request.method}}' } } });
    expect(response.header('x-line')).toBe('line GET');
  });

  test('a line break in a template cannot add another header', async () => {
    const inject = assign({ path: 'payload.evil', value: 'a\r\nSet-Cookie: s=1\r\n\r\nbody' });
    const response = await once({ middle: [inject], reply: { body: 'x', headers: { 'X-Line': '{{payload.evil}}' } } });
    expect(response.header('set-cookie')).toBeUndefined();
    expect([200, 500]).toContain(response.status);
  });

  test('payload.headers is never sent', async () => {
    const response = await once({
      middle: [assign({ path: 'payload.headers', value: { 'x-line': '7', 'set-cookie': 's=1' } })],
    });
    expect([response.header('x-line'), response.header('set-cookie')]).toEqual([undefined, undefined]);
  });
});

describe('headers that are refused when a pipeline is saved', () => {
  test.each([
    'Set-Cookie',
    'Access-Control-Allow-Origin',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Keep-Alive',
    'Upgrade',
    'Trailer',
    'X-Request-Id',
    'X-Content-Type-Options',
    'RateLimit',
    'Date',
    'Bad Name',
  ])('%s', async (name) => {
    const { pipeline } = own({ middle: [], reply: { body: 'x', headers: { [name]: '1' } } });
    const checked = await gateway.call('check', {
      project: TEST_PROJECT,
      definition: pipelineStart(pipeline).definition,
    });
    expect(checked.errors).not.toEqual([]);
    expect(checked.errors[0]).toMatchObject({ node: 'out' });
    await expect(gateway.change({ kind: 'start', start: pipelineStart(pipeline) })).rejects.toThrow(/invalid/);
  });

  // Each of these was started in the past, and then every call resulted in a 500.
  test.each([
    ['X-Price', '5 €', /Latin-1 characters outside of \{\{…\}\}; found "€" \(U\+20AC\)/],
    ['X-Price', 'a\tb', /found U\+0009/],
    ['Content-Type', 'text/plain, text/html', /one media type such as text\/html, without a comma/],
  ])('%s with the value %j is refused by check and start with a sentence', async (name, value, says) => {
    const start = pipelineStart(own({ middle: [], reply: { body: 'x', headers: { [name]: value } } }).pipeline);
    const { errors } = await gateway.call('check', { project: TEST_PROJECT, definition: start.definition });
    expect(errors).toMatchObject([
      {
        code: 'setting_invalid',
        node: 'out',
        field: `settings.headers.${name}`,
        message: expect.stringMatching(says),
      },
    ]);
    await expect(gateway.change({ kind: 'start', start })).rejects.toThrow(says);
  });
});

describe('status', () => {
  test.each([200, 201, 299, 302, 400, 404, 418, 499, 500, 503, 599])(
    '%i is passed on with the body of the pipeline, never wrapped',
    async (status) => {
      const response = await once(fixedReply({ error: 'mine' }, status));
      expect([response.status, response.json()]).toEqual([status, { error: 'mine' }]);
      expect(response.header('connection')?.toLowerCase()).not.toBe('close');
    },
  );

  test.each([
    ['199', 199],
    ['600', 600],
    ['0', 0],
    ['a string', '201'],
    ['a fraction', 200.5],
    ['an object', {}],
  ])('%s from the payload results in 500, with the cause in the journal', async (_name, status) => {
    const response = await once({ middle: [assign({ path: 'payload.status', value: status })] });
    const requestId = expectRefusal(response, 'pipeline_failed');
    expect(JSON.stringify(await gateway.journalRows(requestId))).toMatch(/status/);
  });

  test('the settings of the node override the payload', async () => {
    const set = assign({ path: 'payload.status', value: 500 }, { path: 'payload.body', value: 'payload' });
    const response = await once({ middle: [set], reply: { status: 202, body: 'node' } });
    expect([response.status, response.text()]).toEqual([202, 'node']);
  });
});

describe('more or less than one reply', () => {
  test('the first reply is sent, and the second only causes a warning', async () => {
    const { path, pipeline } = own({ ...fixedReply('first') });
    pipeline.nodes?.push(
      { id: 'wait', kind: 'delay', settings: { seconds: 0.05 } },
      { id: 'late', kind: 'http-response', settings: { body: 'second', status: 500 } },
    );
    pipeline.wires?.push({ from: 'in', port: 'out', to: 'wait' }, { from: 'wait', port: 'out', to: 'late' });
    const response = await reply(pipeline, path);
    expect([response.status, response.text()]).toEqual([200, 'first']);
    const again = await call(gateway.port, { path, key: key.value });
    expect(again.text()).toBe('first');
  });

  test('a run without a reply gets 504 after the timeout of the route', async () => {
    const started = performance.now();
    const response = await once({
      route: { timeout: 0.3 },
      middle: [assign({ path: 'payload.x', value: 1 })],
      reply: null,
    });
    expectRefusal(response, 'route_timeout');
    expect(performance.now() - started).toBeGreaterThanOrEqual(290);
  });

  test('a reply after the timeout is dropped, and the journal names the node that was running', async () => {
    const response = await once({
      route: { timeout: 0.1 },
      middle: [{ id: 'sleepy', kind: 'delay', settings: { seconds: 0.4 } }],
      reply: { body: 'late' },
    });
    const requestId = expectRefusal(response, 'route_timeout');
    expect(JSON.stringify(await gateway.journalRows(requestId))).toContain('sleepy');
  });

  test("two requests on one connection never get each other's late reply", async () => {
    const { path, pipeline } = own({
      route: { timeout: 5 },
      middle: [{ kind: 'delay', settings: { seconds: 0.1 } }],
      reply: { body: 'slow' },
    });
    await gateway.change({ kind: 'start', start: pipelineStart(pipeline) });
    await using connection = await openRaw(gateway.port);
    connection.send(Buffer.concat([requestBytes({ path, key: key.value }), requestBytes({ path, key: key.value })]));
    const ids = [(await connection.next()).header('x-request-id'), (await connection.next()).header('x-request-id')];
    expect(new Set(ids).size).toBe(2);
  });
});

describe('failures of nodes', () => {
  test('an error in a script is 500 at once, with its cause only in the journal', async () => {
    const response = await once({ middle: [transform('() => { throw new Error("valve 12 stuck") }')] });
    const requestId = expectRefusal(response, 'pipeline_failed');
    expect(response.text()).not.toContain('valve');
    expect(JSON.stringify(await gateway.journalRows(requestId))).toContain('valve 12 stuck');
  });

  test(
    'an endless script is stopped at its deadline and gets 500, and other calls continue',
    { timeout: 20_000 },
    async () => {
      const endless = once({
        middle: [{ kind: 'transform', settings: { code: 'export default () => { for (;;); }', deadline: 0.5 } }],
      });
      const quick = await once(fixedReply('quick'));
      expect(quick.text()).toBe('quick');
      expectRefusal(await endless, 'pipeline_failed');
    },
  );

  test('a failing node with a wired error port passes the message on', async () => {
    const { path, pipeline } = own({ middle: [{ ...transform('() => { throw new Error("no") }'), id: 'bad' }] });
    pipeline.nodes?.push({ id: 'sorry', kind: 'http-response', settings: { status: 422, body: { sorry: true } } });
    pipeline.wires?.push({ from: 'bad', port: 'error', to: 'sorry' });
    const response = await reply(pipeline, path);
    expect([response.status, response.json()]).toEqual([422, { sorry: true }]);
  });
});

describe('a 200 whose body has an error key', () => {
  type Warning = Extract<GatewayEvent, { kind: 'pipeline-warning' }>;
  const told = (pipeline: string): Warning[] =>
    gateway.events.filter((event) => event.kind === 'pipeline-warning').filter((event) => event.pipeline === pipeline);
  const toldLast = (pipeline: string, times: number) =>
    until(`${times} warnings`, () => told(pipeline).length === times && told(pipeline).at(-1));

  test('is counted, and raises one warning for its pipeline however many replies there are', async () => {
    const { path, pipeline } = own(fixedReply({ error: 'hidden' }));
    expect((await reply(pipeline, path)).status).toBe(200);
    expect(await toldLast(pipeline.id, 1)).toMatchObject({
      code: 'error_with_200',
      errorsWith200: [{ node: 'out', count: 1 }],
    });
    expect((await call(gateway.port, { method: 'GET', path, key: key.value })).status).toBe(200);
    const { routes } = await gateway.call('stats', {});
    expect(routes.find((route) => route.pipeline === pipeline.id)).toMatchObject({ errorsWith200: 2 });
    expect(told(pipeline.id)).toHaveLength(1);
  });

  test('is cleared by a start or a stop, and is reported again, counted from zero, when it recurs', async () => {
    const { path, pipeline } = own(fixedReply({ error: 'hidden' }));
    await reply(pipeline, path);
    await toldLast(pipeline.id, 1);
    await reply(pipeline, path);
    expect(await toldLast(pipeline.id, 3)).toMatchObject({ errorsWith200: [{ node: 'out', count: 1 }] });
    expect(told(pipeline.id)[1]).toMatchObject({ errorsWith200: [] });
    await gateway.change({ kind: 'stop', project: TEST_PROJECT, pipeline: pipeline.id });
    expect(await toldLast(pipeline.id, 4)).toMatchObject({ errorsWith200: [] });
  });
});

test('a disabled node is skipped, and a disabled route gets 404', async () => {
  const { path, pipeline } = own({ middle: [assign({ path: 'payload.status', value: 418 })] });
  const switched = (id: string) => ({
    ...pipeline,
    nodes: (pipeline.nodes ?? []).map((node) => (node.id === id ? { ...node, off: true } : node)),
  });
  const on = own({ middle: [assign({ path: 'payload.status', value: 418 })] });
  expect((await reply(on.pipeline, on.path)).status).toBe(418);
  expect((await reply(switched('n0'), path)).status).toBe(200);
  expectRefusal(await reply(switched('in'), path), 'not_found');
});
