import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { createServer as createRawServer, type Server, type Socket } from 'node:net';
import { createHttpClient } from './client.ts';
import type { HttpCall, HttpClient, HttpClientSettings, HttpResult } from './contract.ts';
import type { Edge } from './routes.ts';

/** Real targets on 127.0.0.1 and clients that may call them. */
export interface TestTarget {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Accepted connections. */
  readonly connections: Socket[];
  /** Request lines that were read, for HTTP targets: `GET /path`. */
  readonly requests: string[];
  readonly server: Server;
  close(): Promise<void>;
}

/** Closes what a test opened. */
export class Opened {
  readonly #closers: (() => Promise<void> | void)[] = [];

  /** A target that handles each connection as the test defines. */
  raw(onConnection: (socket: Socket, index: number) => void): Promise<TestTarget> {
    const connections: Socket[] = [];
    const server = createRawServer((socket) => {
      connections.push(socket);
      socket.on('error', () => undefined);
      onConnection(socket, connections.length - 1);
    });
    return this.#listen(server, connections, [], 'http');
  }

  /** A raw target that sends `answer` once the head of a request has arrived. */
  answering(answer: string | Buffer, then: (socket: Socket) => void = () => undefined): Promise<TestTarget> {
    return this.raw((socket) => {
      socket.once('data', () => socket.write(answer, () => then(socket)));
    });
  }

  http(listener: RequestListener, tls?: ServerOptions): Promise<TestTarget> {
    const connections: Socket[] = [];
    const requests: string[] = [];
    const listen: RequestListener = (req, res) => {
      requests.push(`${req.method} ${req.url}`);
      listener(req, res);
    };
    const server = tls === undefined ? createServer(listen) : createSecureServer(tls, listen);
    server.on('connection', (socket: Socket) => {
      connections.push(socket);
      socket.on('error', () => undefined);
    });
    return this.#listen(server, connections, requests, tls === undefined ? 'http' : 'https');
  }

  client(settings: Partial<HttpClientSettings>, edge?: Edge): HttpClient {
    const client = createHttpClient(settingsOf(settings), edge);
    this.#closers.push(() => client.close());
    return client;
  }

  /** A client that may call these targets. */
  clientFor(...targets: readonly TestTarget[]): HttpClient {
    return this.client({ allowedInternalTargets: targets.map(({ port }) => `127.0.0.1:${port}`) });
  }

  onClose(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }

  async #listen(server: Server, connections: Socket[], requests: string[], scheme: string): Promise<TestTarget> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const close = async (): Promise<void> => {
      for (const socket of connections) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    };
    this.#closers.push(close);
    return { port, origin: `${scheme}://127.0.0.1:${port}`, connections, requests, server, close };
  }
}

export function settingsOf(settings: Partial<HttpClientSettings>): HttpClientSettings {
  return { allowedInternalTargets: [], proxy: null, proxyTargets: [], ...settings };
}

export function callOf(origin: string, call: Partial<HttpCall> = {}): HttpCall {
  const usual = { method: 'GET', path: '/', headers: {}, body: null, timeoutMs: 20_000, tls: null };
  return { origin, ...usual, repeatable: true, pool: '', ...call };
}

export function ask(client: HttpClient, origin: string, call: Partial<HttpCall> = {}): Promise<HttpResult> {
  return client.call(callOf(origin, call), new AbortController().signal);
}

/** The text of the response; throws if there is none. */
export function bodyOf(result: HttpResult): string {
  if (result.kind !== 'answered' || result.body === null) throw new Error(`no answer: ${JSON.stringify(result)}`);
  return Buffer.from(result.body).toString('utf8');
}

export async function received(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
