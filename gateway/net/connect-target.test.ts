import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connectTarget } from './connect-target.ts';
import { TargetGuard } from './target-guard.ts';

const lookUp =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses);

test('a server that listens on the second address of a name is reached', async () => {
  const server = createServer((socket) => socket.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const guard = new TargetGuard([`both.example:${port}`], lookUp('127.0.0.2', '127.0.0.1'));
  const socket = connectTarget(await guard.resolve('both.example', port));
  const [data] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
  expect([data, socket.remoteAddress]).toEqual(['here', '127.0.0.1']);
  socket.destroy();
  server.close();
});

test('the error has the code of the refusal when no address responds', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const guard = new TargetGuard([`both.example:${port}`], lookUp('127.0.0.2', '127.0.0.1'));
  const socket = connectTarget(await guard.resolve('both.example', port));
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});
