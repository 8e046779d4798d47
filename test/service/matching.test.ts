import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ControlFailure, pipelineStart, startGateway, type TestGateway } from '#test/gateway.ts';
import { call, rawRequest, requestBytes } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { STOPPED_STATUS } from '#common/errors/gateway-codes.ts';
import type { RouteMethod } from '#common/model/route-settings.ts';

/** Matching (docs/spec/routes.md#matching). Every route is public and returns its own method and pattern. */
const ROUTES: [RouteMethod, string][] = [
  ['GET', '/'],
  ['GET', '/a'],
  ['GET', '/a/'],
  ['GET', '/A'],
  ['POST', '/a/b'],
  ['GET', '/a/:x'],
  ['*', '/a/star'],
  ['GET', '/a/:x/c'],
  ['GET', '/a/b/:y'],
  ['DELETE', '/a/:x/c'],
  ['*', '/m'],
  ['GET', '/m'],
  ['PUT', '/only-put'],
  ['GET', "/odd!$&'()+,;=@~-._"],
  ['GET', '/p/:one/:two'],
  ['GET', '/end/:name/'],
  ['GET', '/deep/:a/x/:b/z'],
  ['GET', '/deep/l/:c/y'],
  ['PATCH', '/v1.0/order'],
];

let gateway: TestGateway;
const public_ = { authType: 'none' };

beforeAll(async () => {
  const pipelines = ROUTES.map(([method, path], index) =>
    routePipeline({ id: `r-${index}`, method, path, route: public_, ...fixedReply(`${method} ${path}`) }),
  );
  gateway = await startGateway({ pipelines });
  expect(gateway.ready.failed).toEqual([]);
});
afterAll(() => gateway?.stop());

/** method, path as sent, matching route (null = 404) */
const TABLE: [string, string, string | null][] = [
  ['GET', '/', 'GET /'],
  ['GET', '/a', 'GET /a'],
  ['GET', '/a/', 'GET /a/'],
  ['GET', '/A', 'GET /A'],
  ['GET', '/a//', null],
  ['GET', '//a', null],
  ['GET', '/./a', null],
  ['GET', '/x/../a', null],
  ['GET', '/%61', null],
  ['GET', '/a%2F', null],
  ['POST', '/a', null],
  // A literal takes precedence over :name, but only among routes that accept the method.
  ['POST', '/a/b', 'POST /a/b'],
  ['GET', '/a/b', 'GET /a/:x'],
  ['GET', '/a/B', 'GET /a/:x'],
  ['GET', '/a/b/c', 'GET /a/b/:y'],
  ['GET', '/a/z/c', 'GET /a/:x/c'],
  ['DELETE', '/a/b/c', 'DELETE /a/:x/c'],
  ['GET', '/a/b/', null],
  ['GET', '/a//c', null],
  ['GET', '/a/%62', 'GET /a/:x'],
  ['GET', '/a/..', 'GET /a/:x'],
  // A literal on * takes precedence over :name on the exact method.
  ['GET', '/a/star', '* /a/star'],
  ['DELETE', '/a/star', '* /a/star'],
  ['HEAD', '/a/star', '* /a/star'],
  // An exact method takes precedence over *.
  ['GET', '/m', 'GET /m'],
  ['HEAD', '/m', 'GET /m'],
  ['POST', '/m', '* /m'],
  ['PATCH', '/m', '* /m'],
  ['OPTIONS', '/m', '* /m'],
  ['PROPFIND', '/m', '* /m'],
  ['PUT', '/only-put', 'PUT /only-put'],
  ['GET', '/only-put', null],
  ['HEAD', '/only-put', null],
  ['OPTIONS', '/only-put', null],
  ['GET', "/odd!$&'()+,;=@~-._", "GET /odd!$&'()+,;=@~-._"],
  ['GET', '/odd%21', null],
  ['GET', '/p/1/2', 'GET /p/:one/:two'],
  ['GET', '/p//2', null],
  ['GET', '/p/1/', null],
  ['GET', '/p/1/2/', null],
  ['GET', '/p/1', null],
  ['GET', '/p/1?a=/2', null],
  ['GET', '/p/1/2?x=/', 'GET /p/:one/:two'],
  ['GET', '/end/x/', 'GET /end/:name/'],
  ['GET', '/end/x', null],
  ['GET', '/end//', null],
  // From the left: the literal path does not match at its end, that of the parameter does.
  ['GET', '/deep/l/x/2/z', 'GET /deep/:a/x/:b/z'],
  ['GET', '/deep/l/x/y', 'GET /deep/l/:c/y'],
  ['GET', '/deep/q/x/y/z', 'GET /deep/:a/x/:b/z'],
  ['PATCH', '/v1.0/order', 'PATCH /v1.0/order'],
  ['PATCH', '/v1x0/order', null],
  ['PATCH', '/V1.0/order', null],
  ['GET', '/nothing', null],
];

test.each(TABLE)('%s %s is served by %s', async (method, path, route) => {
  const response = await call(gateway.port, { method, path });
  const answered = response.status === 404 ? null : route;
  expect(answered).toBe(route);
  if (route !== null) expect(response.status).toBe(200);
  if (route !== null && method !== 'HEAD') expect(response.text()).toBe(route);
});

test('a parameter matches a segment of any length, up to the maximum length of a target', async () => {
  const long = 'x'.repeat(4000);
  const [first, second] = await Promise.all([
    call(gateway.port, { path: `/a/${long}` }),
    call(gateway.port, { path: '/a/y' }),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
});

test('a path with very many segments is answered at once', async () => {
  const response = await call(gateway.port, { path: '/deep/l'.repeat(290), timeoutMs: 2000 });
  expect(response.status).toBe(404);
});

describe('starting and stopping', () => {
  test.each([
    ['the same pattern', 'GET', '/a/:x'],
    ['another parameter name', 'GET', '/a/:other'],
  ] as const)(
    'a pipeline with %s is refused with the name of the other pipeline, which continues to run',
    async (_name, method, path) => {
      const start = pipelineStart(
        routePipeline({ id: 'clash', method, path, route: public_, ...fixedReply('clash') }),
        'line-2',
      );
      const failure = await gateway.change({ kind: 'start', start }).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ControlFailure);
      expect(failure).toMatchObject({ failure: { code: 'route_clash' } });
      expect(String(failure)).toContain('r-5');
      expect((await call(gateway.port, { path: '/a/q' })).text()).toBe('GET /a/:x');
    },
  );

  test('a new revision replaces the old one in place, and the old route is gone', async () => {
    const first = routePipeline({ id: 'moves', path: '/moves/1', route: public_, ...fixedReply('one') });
    const second = routePipeline({ id: 'moves', path: '/moves/2', route: public_, ...fixedReply('two') });
    await gateway.change({ kind: 'start', start: pipelineStart(first) });
    await gateway.change({ kind: 'start', start: pipelineStart(second, 'line-1', 2) });
    expect((await call(gateway.port, { path: '/moves/1' })).status).toBe(404);
    expect((await call(gateway.port, { path: '/moves/2' })).text()).toBe('two');
    await gateway.change({ kind: 'stop', project: 'line-1', pipeline: 'moves' });
    expect((await call(gateway.port, { path: '/moves/2' })).status).toBe(STOPPED_STATUS);
  });

  test('a swap under load loses no request and mixes no revisions', async () => {
    const revision = (number: number) =>
      pipelineStart(
        routePipeline({ id: 'swap', path: '/swap', route: public_, ...fixedReply(number) }),
        'line-1',
        number,
      );
    await gateway.change({ kind: 'start', start: revision(1) });
    let swapping = true;
    const answers: unknown[] = [];
    const load = Array.from({ length: 4 }, async () => {
      while (swapping) answers.push((await call(gateway.port, { path: '/swap' })).json());
    });
    for (let number = 2; number <= 20; number++) await gateway.change({ kind: 'start', start: revision(number) });
    swapping = false;
    await Promise.all(load);
    expect(answers.length).toBeGreaterThan(4);
    expect(answers.every((answer) => typeof answer === 'number')).toBe(true);
    expect((await call(gateway.port, { path: '/swap' })).json()).toBe(20);
  });
});

test('a HEAD reply has the length of the GET reply and no body', async () => {
  const bytes = requestBytes({ method: 'HEAD', path: '/a' });
  const { responses } = await rawRequest(gateway.port, bytes, { responses: 1, heads: [true] });
  expect(responses[0]?.header('content-length')).toBe('6');
});
