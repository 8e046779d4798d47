import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { pipelineStart, startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey, unknownKey } from '#test/make-key.ts';
import { call, type RawResponse } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/**
 * Rate limits (docs/spec/routes.md#rate-limit). Rates are so low that no token is added during a test, unless it waits
 * for one.
 */
const key = makeKey();
let gateway: TestGateway;

const limited = (id: string, rateLimit: number, burstLimit: number, more: Record<string, unknown> = {}) =>
  routePipeline({ id, path: `/${id}`, route: { rateLimit, burstLimit, ...more }, ...fixedReply('ok') });

beforeAll(async () => {
  gateway = await startGateway({
    keys: [key],
    pipelines: [
      limited('off', 0, 0),
      limited('off-with-burst', 0, 50),
      limited('one', 0.01, 0),
      limited('burst', 0.01, 4),
      limited('fraction', 0.25, 2),
      limited('refill', 5, 0),
      limited('swapped', 0.01, 2),
      limited('guessed', 0.01, 2),
      limited('ipv6', 0.01, 0),
      limited('open', 0.01, 1, { authType: 'none' }),
      limited('large', 1e9, 1e9),
      limited('whole', 0.01, 1),
    ],
    settings: { trustedProxies: ['127.0.0.99'] },
  });
  expect(gateway.ready.failed).toEqual([]);
});
afterAll(() => gateway?.stop());

const good = (id: string) => call(gateway.port, { path: `/${id}`, key: key.value });
const rateHeaders = (response: RawResponse) => ({
  policy: response.header('ratelimit-policy'),
  limit: response.header('ratelimit'),
});

test.each(['off', 'off-with-burst'])('%s: a rate of 0 never refuses and sends no rate headers', async (id) => {
  const responses = await Promise.all(Array.from({ length: 60 }, () => good(id)));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  expect(rateHeaders(responses[0] as RawResponse)).toEqual({ policy: undefined, limit: undefined });
});

test('capacity is max(1, rate) + burst: 1 + 4 calls pass, the sixth gets 429 with Retry-After', async () => {
  const left: (string | undefined)[] = [];
  for (let calls = 0; calls < 5; calls++) {
    const response = await good('burst');
    expect(response.status).toBe(200);
    expect(response.header('ratelimit-policy')).toBe('"route";q=5;w=500');
    left.push(/^"route";r=(\d+);t=\d+$/.exec(response.header('ratelimit') ?? '')?.[1]);
  }
  expect(left).toEqual(['4', '3', '2', '1', '0']);
  const refused = await good('burst');
  expectRefusal(refused, 'rate_limited');
  expect(refused.header('ratelimit-policy')).toBe('"route";q=5;w=500');
  expect(refused.header('ratelimit')).toMatch(/^"route";r=0;t=(?:49\d|500)$/);
  expect(refused.header('retry-after')).toMatch(/^(?:9\d|100)$/);
});

test('a fraction of a request per second works: capacity 3, window 12 s', async () => {
  const response = await good('fraction');
  expect(rateHeaders(response)).toEqual({ policy: '"route";q=3;w=12', limit: '"route";r=2;t=4' });
});

test('t in RateLimit is the number of seconds until the bucket is full', async () => {
  expect((await good('one')).header('ratelimit')).toBe('"route";r=0;t=100');
});

test('tokens are refilled at the rate: after a refusal the next call is served within its Retry-After', async () => {
  for (let calls = 0; calls < 5; calls++) expect((await good('refill')).status).toBe(200);
  const refused = await until('the bucket is empty', async () => {
    const response = await good('refill');
    return response.status === 429 && response;
  });
  expect(refused.header('retry-after')).toBe('1');
  const started = performance.now();
  await until('a token is back', async () => (await good('refill')).status === 200, { everyMs: 50, timeoutMs: 3000 });
  expect(performance.now() - started).toBeLessThan(1000);
});

test('concurrent calls never exceed the capacity', async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, () => good('whole')));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(38);
});

test('the highest rate is a plain number in the headers', async () => {
  expect((await good('large')).header('ratelimit-policy')).toBe('"route";q=2000000000;w=2');
});

test('a public route is limited too', async () => {
  const codes = [];
  for (let calls = 0; calls < 3; calls++) codes.push((await call(gateway.port, { path: '/open' })).status);
  expect(codes).toEqual([200, 200, 429]);
});

test('a new revision with the same limits keeps the same bucket', async () => {
  for (let calls = 0; calls < 3; calls++) expect((await good('swapped')).status).toBe(200);
  await gateway.change({ kind: 'start', start: pipelineStart(limited('swapped', 0.01, 2), undefined, 2) });
  expect((await good('swapped')).status).toBe(429);
});

describe('guessing keys', () => {
  const guess = (id: string, options: { localAddress?: string; forwardedFor?: string; value?: string } = {}) =>
    call(gateway.port, {
      path: `/${id}`,
      key: options.value ?? unknownKey(),
      ...(options.localAddress !== undefined && { connect: { localAddress: options.localAddress } }),
      ...(options.forwardedFor !== undefined && { headers: { 'X-Forwarded-For': options.forwardedFor } }),
    });
  const statuses = async (calls: (() => Promise<RawResponse>)[]) => {
    const seen: number[] = [];
    for (const one of calls) seen.push((await one()).status);
    return seen;
  };

  test('a source has as many failures as the route has capacity, then gets 429; they use no capacity of the route', async () => {
    const from = { localAddress: '127.0.0.31' };
    const missing = () => call(gateway.port, { path: '/guessed', connect: from });
    expect(
      await statuses([() => guess('guessed', from), missing, () => guess('guessed', { ...from, value: 'junk' })]),
    ).toEqual([401, 401, 401]);
    const refused = await guess('guessed', from);
    expectRefusal(refused, 'rate_limited');
    expect(Number(refused.header('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await statuses([() => guess('guessed', { localAddress: '127.0.0.32' })])).toEqual([401]);
    const served = await Promise.all(Array.from({ length: 3 }, () => good('guessed')));
    expect(served.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('IPv6 sources count by their /64', async () => {
    const from = (forwardedFor: string) => () => guess('ipv6', { localAddress: '127.0.0.99', forwardedFor });
    expect(await statuses([from('2001:db8:1:1::1'), from('2001:db8:1:1:ffff::2'), from('2001:db8:1:2::1')])).toEqual([
      401, 429, 401,
    ]);
  });

  test('a route without a rate has no such bucket', async () => {
    const seen = await statuses(Array.from({ length: 20 }, () => () => guess('off', { localAddress: '127.0.0.33' })));
    expect(new Set(seen)).toEqual(new Set([401]));
  });
});

describe('the source address', () => {
  const seenBy = async (localAddress: string, forwardedFor: string) => {
    const response = await call(gateway.port, {
      path: '/nothing',
      connect: { localAddress },
      headers: { 'X-Forwarded-For': forwardedFor },
    });
    return (await gateway.journalRows(response.header('x-request-id')))[0]?.ip;
  };

  test('X-Forwarded-For counts only from a trusted proxy, and then its nearest untrusted hop', async () => {
    expect(await seenBy('127.0.0.40', '10.9.8.7')).toBe('127.0.0.40');
    expect(await seenBy('127.0.0.99', '10.9.8.7')).toBe('10.9.8.7');
    expect(await seenBy('127.0.0.99', '1.1.1.1, 10.9.8.7')).toBe('10.9.8.7');
    expect(await seenBy('127.0.0.99', '10.9.8.7, 127.0.0.99')).toBe('10.9.8.7');
    expect(await seenBy('127.0.0.99', '::ffff:10.9.8.7')).toBe('10.9.8.7');
  });

  test('a trusted proxy must send valid addresses', async () => {
    const response = await call(gateway.port, {
      path: '/nothing',
      connect: { localAddress: '127.0.0.99' },
      headers: { 'X-Forwarded-For': 'unknown' },
    });
    expect(response.status).toBe(400);
  });

  test('trusted proxies can be changed while the gateway runs', async () => {
    await gateway.changeSettings({ trustedProxies: ['127.0.0.41'] });
    expect(await seenBy('127.0.0.41', '10.9.8.7')).toBe('10.9.8.7');
    expect(await seenBy('127.0.0.99', '10.9.8.7')).toBe('127.0.0.99');
  });
});
