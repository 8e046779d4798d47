import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRaw, requestBytes } from '#test/raw-request.ts';
import { until } from '#test/until.ts';
import type { Connection } from './connection.ts';
import type { AcceptedSocket, RequestDispatcher, RequestHandler } from './request-dispatcher.ts';
import { REFUSED_SOCKET_MS } from './limits.ts';
import { closingAnswer } from './problem-reply.ts';
import { createGatewayServer, type GatewayServer } from './server.ts';

/** Real callers of a listener; the test defines how requests are handled. */
class TestDesk implements RequestDispatcher<Connection> {
  readonly draining = false;
  readonly open: AcceptedSocket[] = [];
  readonly asked: { connection: Connection; url: string; followsOn: boolean }[] = [];
  /** Paths that are refused at their head, in the turn in which it was read. */
  refuses = (_url: string): boolean => false;

  enter(socket: AcceptedSocket): void {
    this.open.push(socket);
  }
  leave(socket: AcceptedSocket): void {
    this.open.splice(this.open.indexOf(socket), 1);
  }
  exchange(connection: Connection, { url = '' }: { url?: string | undefined }): RequestHandler {
    return {
      begin: () => {
        this.asked.push({ connection, url, followsOn: connection.followsOn });
        if (this.refuses(url)) refuse(connection);
      },
      framingFailed: () => false,
      check: () => undefined,
      mayBeEnded: false,
      callerEnded: () => undefined,
      callerGone: () => undefined,
    };
  }
  refuse(connection: Connection): void {
    connection.sendClosing(closingAnswer(400, [], ''));
  }
  record(): void {}
  holdReply(): void {}
  releaseReply(): void {}
}

/** Like an exchange: the response waits for its row in the journal. */
function refuse(connection: Connection): void {
  connection.stopReading();
  setImmediate(() => {
    connection.sendClosing(closingAnswer(401, [], ''));
    connection.served();
  });
}

let desk: TestDesk;
let server: GatewayServer;
let port: number;

beforeEach(async () => {
  desk = new TestDesk();
  server = createGatewayServer(desk, null);
  port = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.destroy());

/** A socket that is not closed for another reason remains open. */
function refusedSocketsStay(): void {
  const real = globalThis.setTimeout;
  const later = ((run: () => void, ms?: number) => real(ms === REFUSED_SOCKET_MS ? () => undefined : run, ms)) as never;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(later);
}

test.each([
  ['a request without a body', requestBytes({ path: '/refused' })],
  ['one whose body came along', requestBytes({ method: 'POST', path: '/refused', body: 'x'.repeat(100) })],
])('a caller whose request head was refused is disconnected as soon as it half-closes: %s', async (_name, bytes) => {
  refusedSocketsStay();
  desk.refuses = () => true;
  await using caller = await openRaw(port);
  caller.send(bytes);
  expect((await caller.next()).status).toBe(401);
  expect((await caller.closed()).how).toBe('end');
  caller.socket.end();
  await until('its place is free', () => desk.open.length === 0);
});

test('data after a refusal is not read, and does not reset the connection', async () => {
  refusedSocketsStay();
  desk.refuses = () => true;
  for (const behind of ['no HTTP\r\n\r\n', requestBytes({ path: '/behind' })]) {
    await using caller = await openRaw(port);
    caller.send(requestBytes({ path: '/refused' }));
    expect((await caller.next()).status).toBe(401);
    const connection = desk.asked.at(-1)?.connection;
    caller.send(behind);
    await until('it is seen', () => connection?.socket.destroyed || connection?.socket.isPaused());
    expect(connection?.socket.destroyed).toBe(false);
  }
  expect(desk.asked.map(({ url }) => url)).toEqual(['/refused', '/refused']);
});

test('data that arrives while a refusal is being sent does not follow an accepted request', async () => {
  await using caller = await openRaw(port);
  const ask = async (url: string): Promise<Connection> => {
    caller.send(requestBytes({ path: url }));
    return (await until('it is asked', () => desk.asked.find((one) => one.url === url))).connection;
  };
  const connection = await ask('/turned-away');
  expect(connection.turnAway(503, [], '')).toBe(false);
  caller.send(Buffer.concat([requestBytes({ path: '/meanwhile' }), requestBytes({ path: '/behind' })]));
  await until('they wait', () => connection.socket.isPaused());
  connection.served();
  connection.served();
  expect(desk.asked.map(({ url, followsOn }) => [url, followsOn])).toEqual([
    ['/turned-away', false],
    ['/meanwhile', false],
    ['/behind', true],
  ]);
});
