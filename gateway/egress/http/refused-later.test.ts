import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { NodeError } from '#sdk';
import { until } from '#test/until.ts';
import { openDirect } from '../direct.ts';
import { ask, Opened, settingsOf, type TestTarget } from './target.testing.ts';
import { testRun } from '#sdk/testing.ts';

/** A change of the settings ends the calls that it no longer allows, and no others. */
const opened = new Opened();
afterEach(() => opened.close());

const LONG = { timeoutMs: 30_000 };
const allow = (...targets: readonly TestTarget[]) => targets.map(({ port }) => `127.0.0.1:${port}`);

/** Responds to `/` immediately, and to other paths when the test allows it. */
async function slowTarget() {
  const answers: (() => void)[] = [];
  const target = await opened.http((req, res) => {
    if (req.url === '/') res.end('ok');
    else if (req.url === '/body') res.write('half of it');
    else answers.push(() => res.end('late'));
  });
  return { target, answers };
}

const isClosed = (socket: Socket | undefined): boolean => socket?.destroyed === true;

test.each(['/head', '/body'])('a stored call that waits for its response (%s) ends as refused', async (path) => {
  const { target } = await slowTarget();
  const { target: other, answers } = await slowTarget();
  const client = opened.clientFor(target, other);
  await ask(client, target.origin);
  const cut = ask(client, target.origin, { path, ...LONG });
  const kept = ask(client, other.origin, { path: '/head', ...LONG });
  await until('both are under way', () => target.requests.length === 2 && other.requests.length === 1);
  client.configure(settingsOf({ allowedInternalTargets: allow(other) }));
  expect(await cut).toMatchObject({ kind: 'refused' });
  expect(JSON.stringify(await cut)).toContain('allowed internal targets');
  await until('its connections are closed', () => target.connections.every(isClosed), { timeoutMs: 2_000 });
  answers.forEach((answer) => answer());
  expect(await kept).toMatchObject({ kind: 'answered', status: 200 });
});

test('a direct call ends as refused, and is not retried', async () => {
  const { target } = await slowTarget();
  const direct = openDirect(settingsOf({ allowedInternalTargets: allow(target) }));
  opened.onClose(() => direct.close());
  const endpoint = { origin: target.origin, method: 'GET', headers: {}, timeoutSeconds: 30, tls: null };
  const line = await direct.open({ ...endpoint, storeAndForward: false }, 'line');
  const call = {
    path: '/head',
    body: null,
    orderingKey: null,
    traceparent: null,
    caller: null,
    origin: {},
    run: testRun(),
  };
  const sent = line.send(call, new AbortController().signal).catch((error: unknown) => error);
  await until('it is under way', () => target.requests.length === 1);
  direct.configure(settingsOf({}));
  const end = await sent;
  expect(end).toBeInstanceOf(NodeError);
  expect(end).toMatchObject({ code: 'target_refused' });
  expect(target.requests).toHaveLength(1);
});

test('a call through a proxy ends when its name is removed from the list of the proxy', async () => {
  const proxy = await opened.http(() => undefined);
  const byProxy = { proxy: proxy.origin, allowedInternalTargets: allow(proxy) };
  const client = opened.client({ ...byProxy, proxyTargets: ['mes.example'] });
  const cut = ask(client, 'http://mes.example:80', LONG);
  await until('it is under way', () => proxy.requests.length === 1);
  client.configure(settingsOf({ ...byProxy, proxyTargets: ['mes.example', 'erp.example'] }));
  expect(proxy.connections.every(isClosed)).toBe(false);
  client.configure(settingsOf({ ...byProxy, proxyTargets: ['erp.example'] }));
  expect(await cut).toMatchObject({ kind: 'unreachable', text: expect.stringContaining('proxy settings') as string });
});
