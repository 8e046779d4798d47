import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { call, openRaw, requestBytes } from '#test/raw-request.ts';
import { until } from '#test/until.ts';
import type { Holder } from '../net/shares.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { CoreDispatcher } from './core-dispatcher.ts';
import { emptyContext, type RecordedRefusal } from './empty-context.testing.ts';
import { HeapWatermark } from './heap-watermark.ts';
import { createGatewayServer, type GatewayServer } from './server.ts';

/** While the heap is full, no call of any caller is accepted (docs/spec/requests.md#shares). */
const HOLDER: Holder = { id: 'k1', name: 'MES line 7', project: 'line-7' };
let used: number;
let blamed: Holder[];
let refused: RecordedRefusal[];
let server: GatewayServer;
let port: number;

beforeEach(async () => {
  used = 0;
  blamed = [];
  const heap = new HeapWatermark(() => ({ used_heap_size: used, heap_size_limit: 1_000 }));
  const context = emptyContext({ heap, onHeapFull: (by) => blamed.push(by) });
  ({ refused } = context);
  context.edge.shares.runs.take(HOLDER, 1);
  server = createGatewayServer(new CoreDispatcher(context.edge, new ConnectionLimiter()), null);
  port = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.destroy());

test('every call is refused before its route is matched, and the likely holder is named', async () => {
  used = 900;
  await using caller = await openRaw(port);
  for (const path of ['/a', '/b']) {
    caller.send(requestBytes({ path }));
    expectRefusal(await caller.next(), 'overloaded', 'keep-alive');
  }
  const compared = { holder: HOLDER.name, holderProject: HOLDER.project };
  expect(refused.map(({ row }) => row.why)).toEqual([
    { step: 0, cause: 'heap_full', compared },
    { step: 0, cause: 'heap_full', compared },
  ]);
  expect(blamed).toEqual([HOLDER, HOLDER]);
});

test('a health check is still answered', async () => {
  used = 900;
  expect((await call(port, { path: '/health/live' })).status).toBe(200);
});

test('calls are accepted again once the heap has room', async () => {
  used = 900;
  expect((await call(port, { path: '/a' })).status).toBe(503);
  used = 100;
  await until('a call is accepted', async () => (await call(port, { path: '/a' })).status === 404);
});
