import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import { openBench } from './testing.ts';

/** Just enough of PostgreSQL's protocol to be believed until the answer to the first statement of somebody else. */
function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

const READY = message('Z', Buffer.from('I'));
const BEGUN = Buffer.concat([message('R', int32(0)), message('K', int32(1), int32(2)), READY]);
const DONE = message('C', Buffer.from('SELECT 1\0'));
const INT8 = 20;
const JSON_TYPE = 114;
const SIMPLE_QUERY = 'Q'.charCodeAt(0);

function rowOf(type: number, text: string): Buffer {
  const field = Buffer.concat([Buffer.from('a\0'), int32(0), Buffer.alloc(2), int32(type), Buffer.alloc(8)]);
  const one = Buffer.from([0, 1]);
  return Buffer.concat([
    message('T', one, field),
    message('D', one, int32(text.length), Buffer.from(text)),
    DONE,
    READY,
  ]);
}

async function fakePostgres(answer: Buffer) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let begun = false;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (!begun) socket.write(BEGUN);
      else if (chunk[0] === SIMPLE_QUERY) socket.write(Buffer.concat([DONE, READY]));
      else socket.write(answer);
      begun = true;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test.each([
  ['an integer that is none', rowOf(INT8, 'abc')],
  ['JSON that is none', rowOf(JSON_TYPE, '{')],
  ['a description of columns that ends early', Buffer.concat([message('T', Buffer.from([9, 9])), READY])],
])('a server that answers with %s fails the call, not the gateway', async (_what, answer) => {
  await using server = await fakePostgres(answer);
  const { port } = server;
  const settings = { host: '127.0.0.1', port, database: 'd', user: 'u', password: null, tls: 'off', ca: null } as const;
  const connection = {
    id: 'fake',
    name: '',
    settings: { kind: 'postgresql', ...settings, poolMax: 1, connectTimeout: 2 },
  };
  await using bench = await openBench({
    connections: [connection as ConnectionDefinition],
    allowed: [`127.0.0.1:${port}`],
    usual: 'fake',
  });
  // A driver's exception that nobody catches fails the whole run.
  await expect(bench.sql('SELECT 1')).rejects.toMatchObject({ code: 'db_unreachable' });
});
