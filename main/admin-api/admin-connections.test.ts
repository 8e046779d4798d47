import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AdminConnections } from './admin-connections.ts';
import { PASSWORD } from './harness.testing.ts';
import { admin, harness, harnessPerTest } from './use-harness.testing.ts';
import { CONNECTIONS_MAX } from './listen.ts';
import { peerUid } from './peer-uid.ts';

let sockets: Socket[];
harnessPerTest();
beforeEach(async () => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
});

/** A connection that has sent this much; the client does not close it when the server does. */
async function hold(sent: string): Promise<Socket> {
  const socket = connect(harness.port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

const HOST = (): string => `Host: 127.0.0.1:${harness.port}\r\n`;

/** On a separate connection. Resolves with the status, 0 if the connection is cut. */
function fresh(method: string, path: string, headers: object = {}, body = ''): Promise<number> {
  return new Promise((resolve) => {
    const asked = request(
      { port: harness.port, host: '127.0.0.1', path: `/api/v1${path}`, method, agent: false, headers: { ...headers } },
      (response) => resolve(response.resume().statusCode ?? 0),
    );
    asked.on('error', () => resolve(0)).end(body);
  });
}
const logIn = (): Promise<number> =>
  fresh(
    'POST',
    '/session',
    { 'content-type': 'application/json' },
    JSON.stringify({ name: 'Ada', password: PASSWORD }),
  );
const status = (): Promise<number> => fresh('GET', '/status', admin.headers);

test('connections without a complete head keep nobody out, however many there are', async () => {
  for (let count = 0; count < CONNECTIONS_MAX + 50; count++) await hold('GET /api/v1/status HTTP/1.1\r\n');
  expect(await logIn()).toBe(200);
  expect(await status()).toBe(200);
});

test('bodies that never end keep nobody out either', async () => {
  const head = `POST /api/v1/session HTTP/1.1\r\n${HOST()}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;
  for (let count = 0; count < CONNECTIONS_MAX + 50; count++) await hold(head);
  expect(await logIn()).toBe(200);
});

test('callers without a session that do not read their responses make room, those with one stay', async () => {
  const connections = new AdminConnections(3, 0);
  const answer = Buffer.alloc(64 * 1024 * 1024);
  const server = createHttpServer((request, response) => {
    if (request.headers.cookie !== undefined) connections.admitted(request.socket);
    response.end(answer);
  });
  server.on('connection', (socket) => connections.opened(socket));
  server.prependListener('request', (request, response) => connections.requested(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const ask = async (headers = ''): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.pause();
    return socket;
  };
  const own = await ask('Cookie: a\r\n');
  await ask();
  await ask();
  for (let count = 0; count < 5; count++) expect((await ask()).closed).toBe(false);
  expect([connections.size, own.closed]).toEqual([3, false]);
  server.close();
  server.closeAllConnections();
});

test('a stream of a session stays, whatever else needs its place', async () => {
  const { cookie, csrfToken } = admin;
  const stream = await hold(
    `GET /api/v1/events HTTP/1.1\r\n${HOST()}Cookie: ${cookie}\r\nX-CSRF-Token: ${csrfToken}\r\n\r\n`,
  );
  await once(stream, 'data');
  for (let count = 0; count < CONNECTIONS_MAX + 50; count++) await hold('GET ');
  expect(await status()).toBe(200);
  expect(stream.closed).toBe(false);
});

test.runIf(process.platform === 'linux')('the user at the other end is read once per connection', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  sockets.push(connect(port, '127.0.0.1'));
  const [socket] = await accepted;
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
  const addresses = { localAddress, localPort, remoteAddress, remotePort };
  expect(await peerUid(addresses)).toBe(userInfo().uid);
  addresses.remotePort = 1;
  expect(await peerUid(addresses)).toBe(userInfo().uid);
  expect(await peerUid({ ...addresses })).toBeNull();
  socket.destroy();
  server.close();
});

test.runIf(process.platform === 'linux')('the user at the other end of a loopback connection is known', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const uidOf = async (open: () => unknown): Promise<number | null> => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    open();
    const [socket] = await accepted;
    try {
      return await peerUid(socket);
    } finally {
      socket.destroy();
    }
  };
  expect(await uidOf(() => sockets.push(connect(port, '127.0.0.1')))).toBe(userInfo().uid);
  expect(await uidOf(() => sockets.push(connect(port, '::ffff:127.0.0.1')))).toBe(userInfo().uid);
  if (userInfo().uid === 0) {
    // A program of another user, run by the system, because that user has no access to this folder.
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port} && read -u 3`;
    const other = { uid: 65_534, gid: 65_534, env: {}, cwd: '/' };
    expect(await uidOf(() => void promisify(execFile)('/bin/bash', ['-c', script], other).catch(() => {}))).toBe(
      65_534,
    );
  }
  server.close();
});
