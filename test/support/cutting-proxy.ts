import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A network that loses responses: it forwards requests to `target` and cuts the first responses before their first
 * byte.
 */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Number of cut responses. */
  readonly cut: number;
  /** The heads of all forwarded requests, unchanged. */
  readonly heads: readonly string[];
}

/** `target` is called for each connection: a restarted receiver has another port. */
export async function startCuttingProxy(target: () => number, answersToCut: number): Promise<CuttingProxy> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  let cut = 0;
  const server = createServer((caller) => {
    const there = connect({ port: target(), host: '127.0.0.1', noDelay: true });
    for (const socket of [caller, there]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    caller.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (/^[A-Z]+ \S+ HTTP\/1\.1\r\n/.test(text)) heads.push(text.slice(0, text.indexOf('\r\n\r\n')));
      there.write(chunk);
    });
    there.on('data', (chunk: Buffer) => {
      if (caller.destroyed) return;
      if (cut >= answersToCut) return void caller.write(chunk);
      cut += 1;
      caller.resetAndDestroy();
      there.destroy();
    });
    caller.on('close', () => there.destroy());
    there.on('close', () => caller.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get cut() {
      return cut;
    },
    heads,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
