import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';

/** A TCP server that answers each chunk as configured: for peers that violate their protocol. */
export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** Connections that have been accepted so far. */
  readonly accepted: () => number;
}

export async function startRawServer(answer: (chunk: Buffer, socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => answer(chunk, socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
