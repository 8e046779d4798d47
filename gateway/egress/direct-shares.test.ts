import { afterEach, describe, expect, test } from 'vitest';
import { type EgressCall, type EgressLine, NodeError } from '#sdk';
import { until } from '#test/until.ts';
import { CallShares } from './call-shares.ts';
import { type Direct, openDirect } from './direct.ts';
import { CALLS_MAX } from './direct-limits.ts';
import { Opened, settingsOf, type TestTarget } from './http/target.testing.ts';
import { testRun } from '#sdk/testing.ts';

/** No caller, project or target uses up the direct calls of the others. */
const opened = new Opened();
afterEach(() => opened.close());

const GREEDY_CALLS = 600;
const POLITE_CALLS = 16;
const CALL: EgressCall = {
  path: '/',
  body: null,
  orderingKey: null,
  traceparent: null,
  caller: 'key',
  origin: {},
  run: testRun(),
};
const never = new AbortController().signal;
const failure = (error: unknown): unknown =>
  error instanceof NodeError ? { code: error.code, text: error.message } : error;

function directFor(...targets: readonly TestTarget[]): Direct {
  const direct = openDirect(settingsOf({ allowedInternalTargets: targets.map(({ port }) => `127.0.0.1:${port}`) }));
  opened.onClose(() => direct.close());
  return direct;
}

function lineOf(direct: Direct, { origin }: TestTarget, project: string, timeoutSeconds = 60): Promise<EgressLine> {
  const endpoint = { origin, method: 'GET', headers: {}, timeoutSeconds, tls: null, storeAndForward: false };
  return direct.open(endpoint, project);
}

const hangingTarget = () => opened.http(() => undefined);
const healthyTarget = () => opened.http((_req, res) => res.end('ok'));
const isAnswered = (outcome: unknown): boolean =>
  typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'answered';

/** The number of answered calls. */
async function politeCalls(line: EgressLine, calls: number): Promise<number> {
  const ends = Array.from({ length: calls }, () => line.send({ ...CALL, caller: 'polite' }, never).catch(failure));
  return (await Promise.all(ends)).filter(isAnswered).length;
}

async function flood(line: EgressLine, caller: string): Promise<string[]> {
  const refusals: string[] = [];
  for (let call = 0; call < GREEDY_CALLS; call++)
    line.send({ ...CALL, caller }, never).catch((error: unknown) => {
      if (error instanceof NodeError && error.code === 'target_overloaded') refusals.push(error.message);
    });
  await until('the surplus is refused', () => refusals.length > 0);
  return refusals;
}

describe('direct calls of other projects are answered', () => {
  test('while one key makes as many calls as it can to a hanging target', async () => {
    const [hanging, healthy] = [await hangingTarget(), await healthyTarget()];
    const direct = directFor(hanging, healthy);
    const refusals = await flood(await lineOf(direct, hanging, 'greedy'), 'greedy');
    expect(refusals[0]).toContain('of this caller');
    expect(await politeCalls(await lineOf(direct, healthy, 'polite'), 40)).toBe(40);
  });

  test('while four projects make as many calls as they can to hanging targets', async () => {
    const hanging = await Promise.all(Array.from({ length: 4 }, hangingTarget));
    const healthy = await healthyTarget();
    const direct = directFor(healthy, ...hanging);
    for (const [index, target] of hanging.entries())
      await flood(await lineOf(direct, target, `greedy-${index}`), `greedy-${index}`);
    expect(await politeCalls(await lineOf(direct, healthy, 'polite'), POLITE_CALLS)).toBe(POLITE_CALLS);
  });

  test('also by a target whose slow path another project keeps busy', async () => {
    const target = await opened.http((req, res) => void (req.url === '/fast' && res.end('ok')));
    const direct = directFor(target);
    await flood(await lineOf(direct, target, 'greedy'), 'greedy');
    const polite = await lineOf(direct, target, 'polite');
    const ends = Array.from({ length: POLITE_CALLS }, () => polite.send({ ...CALL, path: '/fast' }, never));
    expect((await Promise.all(ends)).filter(isAnswered)).toHaveLength(POLITE_CALLS);
  });

  test('and so are those of other keys of the greedy project', async () => {
    const [hanging, healthy] = [await hangingTarget(), await healthyTarget()];
    const direct = directFor(hanging, healthy);
    await flood(await lineOf(direct, hanging, 'line'), 'greedy');
    expect(await politeCalls(await lineOf(direct, healthy, 'line'), POLITE_CALLS)).toBe(POLITE_CALLS);
  });
});

test.each([
  ['10.0.0.', '10.0.1.1'],
  ['fd00::', 'fd00:1::1'],
])('callers without a key at %s… share one quota, whatever their addresses are', (network, elsewhere) => {
  const shares = new CallShares();
  const enter = (caller: string, n: number) =>
    shares.enter({ project: 'p', caller, origin: `http://10.1.0.${n % 50}` });
  for (let n = 0; n < CALLS_MAX / 2; n++) enter(`${network}${n % 200}`, n);
  expect(() => enter(`${network}201`, 51)).toThrow('of this caller');
  enter(elsewhere, 51);
});

describe('a target that does not respond', () => {
  test('gets one call at a time after three failures, and the other calls fail at once and say why', async () => {
    const waiting: (() => void)[] = [];
    let cuts = true;
    const target = await opened.http((_req, res) => void (cuts ? res.destroy() : waiting.push(() => res.end('ok'))));
    const endpoint = { origin: target.origin, method: 'POST', headers: {}, timeoutSeconds: 60, tls: null };
    const line = await directFor(target).open({ ...endpoint, storeAndForward: false }, 'line');
    for (let call = 0; call < 3; call++)
      expect(await line.send(CALL, never).catch(failure)).toMatchObject({ code: 'target_unreachable' });
    cuts = false;
    const trial = line.send(CALL, never);
    await until('the trial is under way', () => waiting.length === 1);
    const ends = await Promise.all(Array.from({ length: 20 }, () => line.send(CALL, never).catch(failure)));
    expect(target.requests).toHaveLength(3 + 1);
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
    expect(ends[0]).toEqual({
      code: 'target_unreachable',
      text: `${target.origin} did not answer the last 3 calls of this node (the connection ended before the answer was whole (ECONNRESET)); until it answers, one call at a time is sent`,
    });
    waiting.forEach((answer) => answer());
    expect(await trial).toMatchObject({ kind: 'answered' });
    const next = Array.from({ length: 20 }, () => line.send(CALL, never));
    await until('all are under way', () => waiting.length === 1 + 20);
    waiting.forEach((answer) => answer());
    expect((await Promise.all(next)).filter(isAnswered)).toHaveLength(20);
  });

  test('stays in use despite a slow call while it answers others', async () => {
    const target = await opened.http((req, res) => void (req.url === '/fast' && res.end('ok')));
    const line = await lineOf(directFor(target), target, 'line', 1.5);
    const slow = Array.from({ length: 10 }, () => line.send(CALL, never).catch(failure));
    await until('all are under way', () => target.requests.length === 10);
    expect(await line.send({ ...CALL, path: '/fast' }, never)).toMatchObject({ kind: 'answered' });
    await Promise.all(slow);
    const fast = Array.from({ length: 10 }, () => line.send({ ...CALL, path: '/fast' }, never).catch(failure));
    expect((await Promise.all(fast)).filter(isAnswered)).toHaveLength(10);
  });
});
