import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expectRefusal } from '#test/expect-refusal.ts';
import { call, openRaw, type RawConnection, requestBytes } from '#test/raw-request.ts';
import { until } from '#test/until.ts';
import { CoreDispatcher } from './core-dispatcher.ts';
import type { AcceptedSocket } from './request-dispatcher.ts';
import { emptyContext } from './empty-context.testing.ts';
import type { GatewayContext } from './gateway-context.ts';
import { BodyLane } from './body-lane.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { REQUESTS_IN_FLIGHT_MAX, SHORT_REFUSALS } from './limits.ts';
import { PacedRefusals } from './paced-refusals.ts';
import { createGatewayServer, type GatewayServer } from './server.ts';
import { RemoteConnection } from './threads/remote-connection.ts';
import { CORE } from './threads/messages.ts';
import type { MessageBatch } from './threads/message-batch.ts';

/** Callers of a gateway with too many requests in flight. It sends their refusals when the test triggers it. */
const GET = requestBytes({ path: '/any' });
const MIB = 1024 * 1024;
let clock: ReturnType<typeof stoppedClock>;
let edge: GatewayContext;
let guests: ConnectionLimiter;
let sockets: AcceptedSocket[];
let server: GatewayServer;
let port: number;

beforeEach(async () => {
  clock = stoppedClock();
  edge = fullEdge(new PacedRefusals(clock));
  guests = new ConnectionLimiter();
  sockets = [];
  class WatchedDesk extends CoreDispatcher {
    override enter(socket: AcceptedSocket): void {
      sockets.push(socket);
      super.enter(socket);
    }
  }
  server = createGatewayServer(new WatchedDesk(edge, guests), null);
  port = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.destroy());

function stoppedClock() {
  let nowMs = 0;
  let run = (): void => undefined;
  return {
    nowMs: () => nowMs,
    every(_ms: number, tick: () => void) {
      run = tick;
      return setTimeout(() => undefined, 0);
    },
    tell(count: number): void {
      nowMs += (count * 1000) / SHORT_REFUSALS.perSecondMax;
      run();
    },
  };
}

let queued = 0;
function fullEdge(pacedRefusals: PacedRefusals): GatewayContext {
  queued = 0;
  for (let told = 0; told < SHORT_REFUSALS.atOnceMax; told++) pacedRefusals.add(() => undefined);
  return emptyContext({
    inFlight: REQUESTS_IN_FLIGHT_MAX,
    bodyLane: new BodyLane(),
    pacedRefusals,
    pacedLongRefusals: new PacedRefusals(),
    journal: {
      refuse(_row: unknown, _fold: string, done: (ok: boolean) => void) {
        process.nextTick(() => {
          queued += 1;
          done(true);
        });
      },
    } as unknown as GatewayContext['journal'],
    onHeapFull: () => undefined,
    onRow: () => undefined,
  }).edge;
}

/** A refused caller that waits for its refusal. */
async function turnedAway(bytes: Uint8Array = GET): Promise<RawConnection> {
  const before = queued;
  const one = await openRaw(port);
  one.send(bytes);
  await until('it waits', () => queued > before);
  return one;
}

test('an overloaded gateway reports that it is alive', async () => {
  const { status } = await call(port, { path: '/health/live' });
  expect({ status, queued }).toEqual({ status: 200, queued: 0 });
});

test('a caller that disconnects leaves the queue, and nobody waits for it', async () => {
  for (let index = 0; index < 3; index++) (await turnedAway()).socket.resetAndDestroy();
  await using last = await turnedAway();
  await until('they are gone', () => guests.count === 1);
  clock.tell(1);
  expectRefusal(await last.next(), 'overloaded', 'keep-alive');
});

test('a caller that half-closes is refused at once: it has usually disconnected, and its place is free', async () => {
  await using first = await turnedAway();
  await using ending = await turnedAway();
  ending.socket.end();
  expectRefusal(await ending.next(), 'overloaded');
  (await turnedAway()).socket.destroy();
  await until('their places are free', () => guests.count === 1);
  clock.tell(1);
  expectRefusal(await first.next(), 'overloaded', 'keep-alive');
});

test('a caller that disconnects before its refusal is recorded is not queued', async () => {
  const done: ((ok: boolean) => void)[] = [];
  Object.assign(edge.journal, {
    refuse: (_row: unknown, _fold: string, then: (ok: boolean) => void) => done.push(then),
  });
  const one = await openRaw(port);
  one.send(GET);
  await until('it is recorded', () => done.length === 1);
  one.socket.resetAndDestroy();
  await until('it is gone', () => guests.count === 0);
  const add = vi.spyOn(edge.pacedRefusals, 'add');
  done[0]?.(true);
  expect(add).not.toHaveBeenCalled();
});

test('its place may be given to a new connection', async () => {
  await using one = await turnedAway();
  await using next = await turnedAway();
  expect(sockets.map(({ waits }) => waits)).toEqual([true, true]);
  sockets[0]?.makeRoom();
  expect((await one.closed()).how).toBe('end');
  expect(one.responses).toEqual([]);
  await until('it has left', () => guests.count === 1);
  clock.tell(1);
  expectRefusal(await next.next(), 'overloaded', 'keep-alive');
});

test('in a thread too: a waiting caller may be closed, and a caller that half-closes is refused', () => {
  const said: unknown[] = [];
  const thread = { put: (...parts: unknown[]) => said.push(...parts), add: (part: unknown) => said.push(part) };
  const remote = new RemoteConnection(edge, thread as unknown as MessageBatch, {
    number: 1,
    peer: '::1',
    scheme: 'http',
  });
  Object.assign(edge.journal, { refuse: (_row: unknown, _fold: string, done: (ok: boolean) => void) => done(true) });
  remote.request(0, ['GET', '/any', '1.1'], ['Host', 'a']);
  expect([remote.waits, said]).toEqual([true, []]);
  remote.callerEnded();
  expect(said.slice(0, 5)).toEqual([CORE.turnAway, 1, CORE.reply, 1, 503]);
  remote.replied(true);
  expect([remote.waits, remote.answered]).toEqual([false, true]);
});

test.each([
  ['megabytes of requests after it', Buffer.concat(Array.from({ length: (8 * MIB) / GET.length }, () => GET))],
  ['HTTP/1.0 and more after it', Buffer.concat([Buffer.from('GET / HTTP/1.0\r\n\r\n'), Buffer.alloc(8 * MIB, 'x')])],
  [
    'its own `Connection: close`, and more after it',
    Buffer.concat([requestBytes({ path: '/', headers: { Connection: 'close' } }), Buffer.alloc(8 * MIB, 'x')]),
  ],
])('a refusal that must close the connection is not overtaken by a reset: %s', async (_name, bytes) => {
  await using one = await turnedAway(bytes);
  clock.tell(1);
  expectRefusal(await one.next(), 'overloaded');
  expect(await one.closed()).toMatchObject({ how: 'end', rest: Buffer.alloc(0) });
  expect(one.responses.length).toBe(1);
});

test('a gateway that is draining closes the connection with the refusal', async () => {
  await using one = await turnedAway();
  edge.draining = true;
  clock.tell(1);
  expectRefusal(await one.next(), 'overloaded');
  expect((await one.closed()).how).toBe('end');
});
