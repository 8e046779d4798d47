import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call, type RawResponse } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { whatRan } from '#test/what-ran.ts';

/** CORS (docs/spec/routes.md#cors): what a browser page of another origin can and cannot do. */
const HMI = 'https://hmi.local:8443';
const EVIL = 'https://evil.example';
const EXPOSED = 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After';
const key = makeKey();
let gateway: TestGateway;

const cors = (id: string, allowedOrigins: string[], more: Record<string, unknown> = {}) =>
  routePipeline({
    id,
    method: '*',
    path: `/${id}`,
    route: { corsEnabled: true, allowedOrigins, headerWhitelist: ['x-trace', 'x-line'], ...more },
    ...fixedReply('ran'),
  });

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    machineName: 'Edge-7',
    settings: { baseUrl: 'http://gateway.plant.local' },
    pipelines: [
      cors('listed', [HMI, 'http://10.0.0.5']),
      cors('any', ['*']),
      cors('limited', [HMI], { rateLimit: 0.01 }),
      cors('inside', [HMI], { allowedIps: ['10.0.0.0/8'] }),
      routePipeline({ id: 'off', method: '*', path: '/off', ...fixedReply('ran') }),
      routePipeline({
        id: 'get',
        method: 'GET',
        path: '/get',
        route: { corsEnabled: true, allowedOrigins: [HMI] },
        ...fixedReply('ran'),
      }),
    ],
  });
});
afterAll(() => gateway?.stop());

const preflight = (path: string, origin: string, method = 'POST') =>
  call(gateway.port, {
    method: 'OPTIONS',
    path,
    headers: { Origin: origin, 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': 'x-api-key' },
  });
const from = (path: string, origin: string, headers: Record<string, string> = {}) =>
  call(gateway.port, { path, key: key.value, headers: { Origin: origin, ...headers } });
const corsNames = (response: RawResponse) =>
  response.headerLines.map(([name]) => name).filter((name) => name.startsWith('access-control-') || name === 'vary');

describe('preflight requests', () => {
  test('an allowed origin gets the methods, headers and max age of the route; nothing runs and no key is required', async () => {
    const before = await whatRan(gateway, 'listed');
    const response = await preflight('/listed', HMI);
    expect(response.status).toBe(204);
    expect(response.header('access-control-allow-origin')).toBe(HMI);
    expect(response.header('vary')).toBe('Origin');
    expect(response.header('access-control-allow-headers')?.toLowerCase()).toBe(
      'content-type, x-api-key, x-trace, x-line',
    );
    expect(response.header('access-control-max-age')).toBe('600');
    expect(response.header('x-content-type-options')).toBe('nosniff');
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'])
      expect(response.header('access-control-allow-methods')?.split(', ')).toContain(method);
    expect(response.header('access-control-allow-credentials')).toBeUndefined();
    expect(response.body).toHaveLength(0);
    expect(await whatRan(gateway, 'listed')).toEqual(before);
  });

  test('a route on GET allows only GET and HEAD', async () => {
    const response = await preflight('/get', HMI, 'GET');
    expect(response.header('access-control-allow-methods')).toBe('GET, HEAD');
  });

  test('"*" replies with "*" to any origin', async () => {
    const response = await preflight('/any', EVIL);
    expect([response.status, response.header('access-control-allow-origin')]).toEqual([204, '*']);
  });

  test('another origin gets 204 without CORS headers', async () => {
    const response = await preflight('/listed', EVIL);
    expect([response.status, corsNames(response)]).toEqual([204, []]);
  });

  test('the route is matched by the requested method', async () => {
    expectRefusal(await preflight('/get', HMI, 'POST'), 'not_found');
    expectRefusal(await preflight('/nothing', HMI), 'not_found');
  });

  test('with CORS off, it is refused without CORS headers', async () => {
    const response = await preflight('/off', HMI);
    expectRefusal(response, 'origin_not_allowed');
    expect(corsNames(response)).toEqual([]);
  });

  test('Allowed IPs are checked first', async () => {
    expectRefusal(await preflight('/inside', HMI), 'ip_not_allowed');
  });

  test('it consumes no token of the rate limit', async () => {
    for (let count = 0; count < 5; count++) expect((await preflight('/limited', HMI)).status).toBe(204);
    expect((await from('/limited', HMI)).status).toBe(200);
  });

  test('OPTIONS without Origin or without the requested method is an ordinary request', async () => {
    const plain = await call(gateway.port, { method: 'OPTIONS', path: '/any', key: key.value });
    const noMethod = await call(gateway.port, {
      method: 'OPTIONS',
      path: '/any',
      key: key.value,
      headers: { Origin: EVIL },
    });
    expect([plain.text(), noMethod.text()]).toEqual(['ran', 'ran']);
    expectRefusal(await call(gateway.port, { method: 'OPTIONS', path: '/any' }), 'key_missing');
  });
});

describe('requests with an Origin', () => {
  test('an allowed origin is served; the reply names the origin and the exposed headers', async () => {
    const response = await from('/listed', HMI);
    expect(response.text()).toBe('ran');
    expect(response.header('access-control-allow-origin')).toBe(HMI);
    expect(response.header('vary')).toBe('Origin');
    expect(response.header('access-control-expose-headers')).toBe(EXPOSED);
    expect(response.header('access-control-allow-credentials')).toBeUndefined();
  });

  test.each(['not_found is not revealed', 'key_missing', 'rate_limited'])(
    'refusals after step 1 carry the headers: %s',
    async (which) => {
      if (which === 'key_missing') {
        const response = await call(gateway.port, { path: '/listed', headers: { Origin: HMI } });
        expectRefusal(response, 'key_missing');
        expect(response.header('access-control-allow-origin')).toBe(HMI);
        expect(response.header('access-control-expose-headers')).toBe(EXPOSED);
      } else if (which === 'rate_limited') {
        await from('/limited', HMI);
        const response = await from('/limited', HMI);
        expectRefusal(response, 'rate_limited');
        expect(response.header('access-control-allow-origin')).toBe(HMI);
      } else {
        expect(corsNames(await from('/nothing', HMI))).toEqual([]);
      }
    },
  );

  test.each([
    EVIL,
    'null',
    'https://hmi.local',
    'http://hmi.local:8443',
    `${HMI}.evil.example`,
    'https://evil.example/https://hmi.local:8443',
    '*',
  ])('the origin %s is refused and nothing runs', async (origin) => {
    const before = await whatRan(gateway, 'listed');
    const response = await from('/listed', origin);
    expectRefusal(response, 'origin_not_allowed');
    expect(corsNames(response)).toEqual([]);
    expect(await whatRan(gateway, 'listed')).toEqual(before);
  });

  test('with CORS off, no CORS header is ever sent, and requests of other origins do not run', async () => {
    const refused = await from('/off', HMI);
    expectRefusal(refused, 'origin_not_allowed');
    const served = await call(gateway.port, { path: '/off', key: key.value });
    expect([corsNames(refused), corsNames(served), served.text()]).toEqual([[], [], 'ran']);
  });

  test('"*" lets requests of any origin run', async () => {
    const response = await from('/any', EVIL);
    expect([response.text(), response.header('access-control-allow-origin'), response.header('vary')]).toEqual([
      'ran',
      '*',
      undefined,
    ]);
  });
});

describe('the origin of the gateway itself', () => {
  test.each([
    ['127.0.0.1:8090', 'http://127.0.0.1:8090'],
    ['10.1.2.3', 'http://10.1.2.3'],
    ['[::1]:8090', 'http://[::1]:8090'],
    ['localhost:8090', 'http://localhost:8090'],
    ['edge-7:8090', 'http://edge-7:8090'],
    ['EDGE-7', 'http://edge-7'],
    ['gateway.plant.local:8090', 'http://gateway.plant.local:8090'],
  ])('Host %s with Origin %s runs, without CORS headers', async (host, origin) => {
    const response = await from('/off', origin, { Host: host });
    expect([response.status, corsNames(response)]).toEqual([200, []]);
  });

  test.each([
    ['a name that was rebound to this machine', 'http://evil.example:8090', 'evil.example:8090'],
    ['another scheme', 'https://127.0.0.1:8090'],
    ['another port', 'http://127.0.0.1:8091'],
    ['no port against a port', 'http://127.0.0.1'],
    ['another host', 'http://localhost:8090'],
    ['the machine’s name under another domain', 'http://edge-7.evil.example', 'edge-7.evil.example'],
  ])('%s does not run', async (_name, origin, host = '127.0.0.1:8090') => {
    expectRefusal(await from('/off', origin, { Host: host }), 'origin_not_allowed');
  });
});
