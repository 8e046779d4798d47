import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The minimal part of PostgreSQL's protocol that a client accepts up to the response to its first statement. */
function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

export const READY = message('Z', Buffer.from('I'));
const BEGUN = Buffer.concat([message('R', int32(0)), message('K', int32(1), int32(2)), READY]);
const DONE = message('C', Buffer.from('SELECT 1\0'));
export const INT8 = 20;
export const JSON_TYPE = 114;
const SIMPLE_QUERY = 'Q'.charCodeAt(0);

export function rowOf(type: number, text: string): Buffer {
  const field = Buffer.concat([Buffer.from('a\0'), int32(0), Buffer.alloc(2), int32(type), Buffer.alloc(8)]);
  const one = Buffer.from([0, 1]);
  return Buffer.concat([
    message('T', one, field),
    message('D', one, int32(text.length), Buffer.from(text)),
    DONE,
    READY,
  ]);
}

/** Replies to everything after the start of the session with `answer`. */
export async function fakePostgres(answer: Buffer) {
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
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
