import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { makeKey } from '#test/make-key.ts';
import { call, openRaw, type RawConnection, type RawResponse, requestBytes } from '#test/raw-request.ts';
import { fixedReply, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** The part of shared limits that one caller can use: never so much that a caller of another project is refused. */
const MIB = 1024 * 1024;
const LONG = { timeout: 60_000 };
const polite = makeKey({ project: 'polite', name: 'Polite' });
let gateway: TestGateway;

const late = { id: 'late', kind: 'delay', settings: { seconds: 50 } };
const route = { timeout: 60 };

/** A separate project with a key: tests do not use up each other's shares. */
function greedyProject(project: string) {
  const wait = routePipeline({ id: 'wait', method: '*', path: `/${project}/wait`, route, middle: [late] });
  const open = { ...route, authType: 'none' };
  const unkeyed = routePipeline({ id: 'public', path: `/${project}/public`, route: open, middle: [late] });
  const key = makeKey({ project, name: `Greedy ${project}` });
  return { project, key, pipelines: [wait, unkeyed, repliesFirst(`/${project}/after`)] };
}

/** Replies at once, and continues. */
function repliesFirst(path: string): PipelineInput {
  const one = routePipeline({ id: 'after', method: 'POST', path, route, ...fixedReply('taken') });
  return {
    ...one,
    nodes: [...(one.nodes ?? []), late],
    wires: [...(one.wires ?? []), { from: 'in', port: 'out', to: 'late' }],
  };
}

const [texts, objects, many, publicly, after] = ['a', 'b', 'c', 'd', 'e'].map(greedyProject) as [
  Greedy,
  Greedy,
  Greedy,
  Greedy,
  Greedy,
];
type Greedy = ReturnType<typeof greedyProject>;

beforeAll(async () => {
  const all = [texts, objects, many, publicly, after];
  const definition = routePipeline({ id: 'ok', method: '*', path: '/ok', ...fixedReply('ok') });
  gateway = await startGateway({
    keys: [polite, ...all.map(({ key }) => key)],
    pipelines: [
      ...all.flatMap(({ project, pipelines }) => pipelines.map((one) => ({ project, definition: one }))),
      { project: 'polite', definition },
    ],
  });
});
afterAll(() => gateway?.kill9());

const stats = () => gateway.call('stats', {});
const json = { 'Content-Type': 'application/json' };
const politely = (body: string) =>
  call(gateway.port, {
    method: 'POST',
    path: '/ok',
    key: polite.value,
    headers: json,
    body,
    connect: { localAddress: '127.0.9.1' },
  });

/**
 * Sends the same request on this many connections of several addresses; returns the refusals when only `running` are
 * left.
 */
async function flood(count: number, running: number, request: Buffer, net: string): Promise<RawResponse[]> {
  const before = (await stats()).inFlight;
  const all: RawConnection[] = [];
  for (let n = 0; n < count; n++) {
    const one = await openRaw(gateway.port, { localAddress: `${net}.${1 + Math.floor(n / 200)}` });
    one.send(request);
    all.push(one);
  }
  const refused = () => all.flatMap(({ responses }) => [...responses]);
  const left = async () => (await stats()).inFlight - before;
  await until(
    `${running} run and the others are refused`,
    async () => refused().length === count - running && (await left()) === running,
    { timeoutMs: 30_000 },
  );
  return refused();
}

test('large bodies of waiting runs do not keep other projects from being served', LONG, async () => {
  const headers = { 'Content-Type': 'text/plain' };
  const body = Buffer.alloc(MIB, 'x');
  const request = requestBytes({ method: 'POST', path: '/a/wait', key: texts.key.value, headers, body });
  const refused = await flood(256, 64, request, '127.0.20');
  const get = await call(gateway.port, { path: '/ok', key: polite.value, connect: { localAddress: '127.0.9.1' } });
  expect([get.status, (await politely('{"a":1}')).status]).toEqual([200, 200]);
  for (const one of refused) expectRefusal(one, 'overloaded');
});

test('a megabyte of small objects counts with its size in memory', LONG, async () => {
  const body = `[${'{},'.repeat(349_000)}{}]`;
  const request = requestBytes({ method: 'POST', path: '/b/wait', key: objects.key.value, headers: json, body });
  await flood(40, 5, request, '127.0.21');
  expect((await politely('{"a":1}')).status).toBe(200);
});

test('a long body is refused before it is read while its caller has no memory left for it', LONG, async () => {
  // The time in which a recently refused caller is refused again has passed.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const headers = { 'Content-Type': 'text/plain' };
  const body = Buffer.alloc(MIB, 'x');
  const request = requestBytes({ method: 'POST', path: '/a/wait', key: texts.key.value, headers, body });
  await using one = await openRaw(gateway.port, { localAddress: '127.0.20.9' });
  one.send(request.subarray(0, 32 * 1024));
  expectRefusal(await one.next(), 'overloaded');
});

test('a long body is not read to its end once another one of its caller is refused', LONG, async () => {
  const body = `[${'{},'.repeat(349_000)}{}]`;
  const request = requestBytes({ method: 'POST', path: '/b/wait', key: objects.key.value, headers: json, body });
  await using slow = await openRaw(gateway.port, { localAddress: '127.0.21.8' });
  await using other = await openRaw(gateway.port, { localAddress: '127.0.21.9' });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  slow.send(request.subarray(0, 500_000));
  other.send(request);
  expectRefusal(await other.next(), 'overloaded');
  slow.send(request.subarray(500_000, 600_000));
  expectRefusal(await slow.next(), 'overloaded');
});

test('one key may have 250 requests in flight, and a caller of another project is served', LONG, async () => {
  const request = requestBytes({ path: '/c/wait', key: many.key.value });
  const refused = await flood(400, 250, request, '127.0.22');
  expectRefusal(refused[0], 'overloaded', 'keep-alive');
  const rows = (await gateway.journalRows()).filter(({ why }) => why?.cause === 'share_of_requests');
  expect(rows[0]).toMatchObject({ type: 'refusal', keyName: 'Greedy c', why: { step: 6, compared: { limit: 250 } } });
  expect((await politely('{}')).status).toBe(200);
});

test('callers without a key share the quota of their network', LONG, async () => {
  const request = requestBytes({ path: '/d/public' });
  await flood(300, 250, request, '127.0.23');
  await flood(1, 1, request, '127.0.10');
});

test('a run that continues after its reply counts with its body until it ends', LONG, async () => {
  const text = 'x'.repeat(100_000);
  const one = { method: 'POST', path: '/e/after', key: after.key.value, headers: { 'Content-Type': 'text/plain' } };
  const before = (await stats()).bodyBytes;
  expect((await call(gateway.port, { ...one, body: text })).status).toBe(200);
  expect((await stats()).bodyBytes - before).toBe(2 * text.length);
  const statuses = new Set<number>();
  await using line = await openRaw(gateway.port, { localAddress: '127.0.8.1' });
  for (let n = 0; n < 2_600 && !statuses.has(503); n++) {
    line.send(requestBytes({ ...one, body: '' }));
    statuses.add((await line.next()).status);
  }
  expect(statuses).toEqual(new Set([200, 503]));
  expect((await politely('{}')).status).toBe(200);
});
