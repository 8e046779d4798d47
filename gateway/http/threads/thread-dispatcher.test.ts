import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRaw, type RawConnection, requestBytes } from '#test/raw-request.ts';
import { until } from '#test/until.ts';
import type { AcceptedSocket } from '../request-dispatcher.ts';
import { CONNECTIONS_MAX, REFUSED_SOCKETS_MAX } from '../limits.ts';
import { createGatewayServer, type GatewayServer } from '../server.ts';
import { type Batch, CALLER, CORE, type Part } from './messages.ts';
import { MessageBatch } from './message-batch.ts';
import { ThreadDispatcher } from './thread-dispatcher.ts';

/** Real callers of a thread's listener; the test takes the role of the core and sends its messages. */
const MIB = 1024 * 1024;
const { port1: threadEnd, port2: coreEnd } = new MessageChannel();
const desk = new ThreadDispatcher(new MessageBatch(threadEnd, setImmediate));
let said: Part[] = [];
let server: GatewayServer;
let port: number;

beforeAll(async () => {
  coreEnd.on('message', (batch: Batch) => said.push(...batch));
  server = createGatewayServer(desk, null);
  port = await server.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => void (said = []));
afterAll(async () => {
  await (
    await server.close()
  ).gone;
  threadEnd.close();
});

/** Sends a request, and returns the number of the caller's socket. */
async function ask(caller: RawConnection, path: string, behind = Buffer.alloc(0)): Promise<number> {
  caller.send(Buffer.concat([requestBytes({ path }), behind]));
  await until('the core has the request', () => said.includes(path));
  // The line has three parts, of which the target is the second; marks and number come before it.
  return said[said.indexOf(path) - 3] as number;
}

function reply(number: number, body: string): Part[] {
  return [CORE.reply, number, 200, 2, 'Content-Length', String(body.length), body];
}

test('a reply that the core drops when its caller already has it does not affect the connection', async () => {
  await using caller = await openRaw(port);
  const number = await ask(caller, '/first');
  desk.take(reply(number, 'first'));
  expect((await caller.next()).text()).toBe('first');
  await until('its end is reported', () => said.at(-3) === CALLER.replied);
  desk.take([CORE.giveUpReply, number]);
  await ask(caller, '/second');
  desk.take([CORE.giveUpReply, number]);
  desk.take(reply(number, 'second'));
  expect((await caller.next()).text()).toBe('second');
  expect(said).not.toContain('replies_in_memory');
});

test('an unread reply is dropped with its connection, and the core is notified of the reason', async () => {
  await using caller = await openRaw(port);
  caller.socket.pause();
  const number = await ask(caller, '/large');
  desk.take([...reply(number, 'x'.repeat(32 * MIB)), CORE.giveUpReply, number]);
  await until('the core was notified', () => said.includes('replies_in_memory'));
  caller.socket.resume();
  expect(await caller.closed()).toMatchObject({ how: 'reset' });
});

test('while the core does not respond, sockets over the limit and those that can be refused are closed', async () => {
  // The earlier sockets of the thread; they do nothing.
  const idle = Array.from({ length: CONNECTIONS_MAX + REFUSED_SOCKETS_MAX }, (_, at): AcceptedSocket => ({
    number: -1 - at,
    peer: '127.0.0.9',
    answered: false,
    halfOpen: true,
    keyed: false,
    waits: true,
    idleSinceMs: null,
    destroy() {},
    makeRoom() {},
    overCap() {},
  }));
  for (const socket of idle) desk.enter(socket);
  await until('the core was notified of all', () => said.includes(-idle.length));
  said = [];
  for (let callers = 0; callers < 3; callers++) {
    await using caller = await openRaw(port);
    expect(await caller.closed()).toMatchObject({ how: 'end' });
    expect(caller.responses).toEqual([]);
  }
  await until('it is reported', () => said.length > 0);
  expect(said).toEqual([CALLER.record, '127.0.0.1', 'overloaded', 'connections', { limit: CONNECTIONS_MAX }]);
  desk.leave(idle[0] as AcceptedSocket);
  await using caller = await openRaw(port);
  desk.take(reply(await ask(caller, '/room'), 'room'));
  expect((await caller.next()).text()).toBe('room');
  for (const socket of idle) desk.leave(socket);
});

function turnedAway(number: number): Part[] {
  const head: Part[] = [503, 2, 'Content-Length', '5'];
  return [CORE.turnAway, number, CORE.reply, number, ...head, 'later'];
}

test('a refused caller keeps the connection', async () => {
  await using caller = await openRaw(port);
  const number = await ask(caller, '/first');
  desk.take(turnedAway(number));
  expect(await caller.next()).toMatchObject({ status: 503 });
  await until('its end is reported', () => said.at(-3) === CALLER.replied);
  expect(said.slice(-3)).toEqual([CALLER.replied, number, 0]);
  await ask(caller, '/second');
  desk.take(reply(number, 'second'));
  expect((await caller.next()).text()).toBe('second');
});

test('a refused caller with megabytes of data gets the refusal before the connection closes, and the core is notified', async () => {
  await using caller = await openRaw(port);
  const number = await ask(caller, '/first', Buffer.alloc(8 * MIB, 'x'));
  desk.take(turnedAway(number));
  expect((await caller.next()).header('connection')).toBe('close');
  expect((await caller.closed()).how).toBe('end');
  const replied = (part: Part, at: number): boolean => part === CALLER.replied && said[at + 1] === number;
  await until('the core was notified', () => said.some(replied));
  expect(said[said.findIndex(replied) + 2]).toBe(1);
});

test('the core is notified that a caller has half-closed its connection', async () => {
  await using caller = await openRaw(port);
  const number = await ask(caller, '/first');
  caller.socket.end();
  await until('the core was notified', () => said.at(-2) === CALLER.ended);
  expect(said.at(-1)).toBe(number);
  desk.take(reply(number, 'first'));
  expect((await caller.next()).text()).toBe('first');
});
