import { connect, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { type RawResponse, ResponseParser } from './response-parser.ts';
import { within } from './until.ts';

export type { RawResponse } from './response-parser.ts';

export interface RawConnection extends AsyncDisposable {
  readonly socket: Socket;
  /** All responses so far, 1xx included. */
  readonly responses: readonly RawResponse[];
  /** When `send` was last called, in milliseconds after the socket was requested; 0 before. */
  readonly sentAtMs: number;
  /** Sends bytes; texts as Latin-1, so that any byte can be written as a character. */
  send(bytes: Uint8Array | string, options?: { head?: boolean }): void;
  /** The next response that was not returned yet. Rejects when the socket closes or `timeoutMs` pass before it. */
  next(timeoutMs?: number): Promise<RawResponse>;
  /** How the gateway ended the socket. */
  closed(timeoutMs?: number): Promise<SocketEnd>;
}

export interface SocketEnd {
  /** `end`: a clean FIN; `reset`: an RST. */
  readonly how: 'end' | 'reset';
  /** Milliseconds after the socket was requested: on a busy machine, the gateway has it before this process notices. */
  readonly atMs: number;
  /** Received bytes that are not a complete response. */
  readonly rest: Buffer;
}

export interface ConnectOptions {
  host?: string;
  /** Another source address of this machine, such as 127.0.0.7. */
  localAddress?: string;
  /** Over TLS: what the caller trusts and offers. */
  tls?: ConnectionOptions;
}

/** Opens a socket to the gateway, plain unless TLS is requested; a failed handshake rejects. */
export async function openRaw(port: number, options: ConnectOptions = {}): Promise<RawConnection> {
  const { host = '127.0.0.1', localAddress, tls } = options;
  const startedMs = performance.now();
  const socket = connect({ port, host, noDelay: true, ...(localAddress !== undefined && { localAddress }) });
  await within(5000, 'connect', opened(socket, 'connect'));
  if (!tls) return wrap(socket, startedMs);
  const secure = connectTls({ socket, servername: 'localhost', ...tls });
  await within(5000, 'TLS handshake', opened(secure, 'secureConnect'));
  return wrap(secure, startedMs);
}

function opened(socket: Socket | TLSSocket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve).once('error', reject);
    socket.once('close', () => reject(new Error(`the socket was closed before ${event}`)));
  });
}

function wrap(socket: Socket, startedMs: number): RawConnection {
  const parser = new ResponseParser();
  const responses: RawResponse[] = [];
  const waiting = new Set<() => void>();
  let given = 0;
  let sentAtMs = 0;
  let broken: Error | null = null;
  let end: SocketEnd | null = null;
  const wake = () => waiting.forEach((check) => check());
  const sinceMs = () => performance.now() - startedMs;
  const close = (how: SocketEnd['how']) => {
    end ??= { how, atMs: sinceMs(), rest: parser.rest };
    wake();
  };
  socket.on('data', (chunk: Buffer) => {
    try {
      responses.push(...parser.push(chunk, sinceMs()));
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
    }
    wake();
  });
  socket.on('end', () => close('end'));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') broken ??= error;
    close('reset');
  });
  socket.on('close', () => close('end'));

  const when = <T>(timeoutMs: number, what: string, look: () => T | null): Promise<T> =>
    within(
      timeoutMs,
      what,
      new Promise<T>((resolve, reject) => {
        const check = () => {
          const value = look();
          if (value === null && broken === null && end === null) return;
          waiting.delete(check);
          if (value !== null) resolve(value);
          else reject(broken ?? new Error(`the socket was closed (${end?.how}) before: ${what}`));
        };
        waiting.add(check);
        check();
      }),
    );

  return {
    socket,
    responses,
    get sentAtMs() {
      return sentAtMs;
    },
    send(bytes, { head = false } = {}) {
      parser.expectHead(head);
      sentAtMs = sinceMs();
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    },
    next: (timeoutMs = 10_000) => when(timeoutMs, `response ${given + 1}`, () => responses[given] ?? null).then(give),
    async closed(timeoutMs = 10_000) {
      const value = await when(timeoutMs, 'the end of the socket', () => end);
      if (broken) throw broken;
      return value;
    },
    async [Symbol.asyncDispose]() {
      if (socket.destroyed) return;
      const gone = new Promise((resolve) => socket.once('close', resolve));
      socket.destroy();
      await gone;
    },
  };

  function give(response: RawResponse): RawResponse {
    given += 1;
    return response;
  }
}

export interface RawResult {
  /** Final and 1xx responses in order. */
  readonly responses: readonly RawResponse[];
  /** Null if the gateway left the socket open. */
  readonly closed: SocketEnd | null;
}

export interface RawOptions extends ConnectOptions {
  /**
   * Number of final (not 1xx) responses after which the socket is closed; without it, the gateway must end the socket.
   */
  responses?: number;
  /** Indexes of requests that are HEAD: their responses have no body. */
  heads?: boolean[];
  timeoutMs?: number;
}

/**
 * Sends the parts one after the other and returns every response. Without `responses` it waits for the gateway to end
 * the socket, so that no further data can follow.
 */
export async function rawRequest(
  port: number,
  parts: Uint8Array | string | readonly (Uint8Array | string)[],
  options: RawOptions = {},
): Promise<RawResult> {
  const { responses: wanted, heads = [], timeoutMs = 10_000 } = options;
  await using connection = await openRaw(port, options);
  const list = typeof parts === 'string' || parts instanceof Uint8Array ? [parts] : parts;
  for (const [index, part] of list.entries()) connection.send(part, { head: heads[index] ?? false });
  if (wanted === undefined) {
    const closed = await connection.closed(timeoutMs);
    return { responses: connection.responses, closed };
  }
  for (let finals = 0; finals < wanted;) if ((await connection.next(timeoutMs)).status >= 200) finals += 1;
  return { responses: connection.responses, closed: null };
}

/** Sends one valid request and returns its final response; then closes the socket. */
export async function call(port: number, request: Call = {}): Promise<RawResponse> {
  const { responses } = await rawRequest(port, requestBytes(request), {
    ...request.connect,
    responses: 1,
    heads: [request.method === 'HEAD'],
    ...(request.timeoutMs !== undefined && { timeoutMs: request.timeoutMs }),
  });
  const last = responses.at(-1);
  if (!last) throw new Error('no response came');
  return last;
}

export interface Call {
  method?: string;
  path?: string;
  key?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  connect?: ConnectOptions;
  timeoutMs?: number;
}

/** The bytes of a well-formed request; a body gets its Content-Length unless Transfer-Encoding is given. */
export function requestBytes(request: Call = {}): Buffer {
  const { method = 'GET', path = '/', key, headers = {}, body } = request;
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body ?? '');
  const lines = [`${method} ${path} HTTP/1.1`];
  if (!names.has('host')) lines.push('Host: 127.0.0.1');
  if (key !== undefined) lines.push(`X-API-Key: ${key}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined && !names.has('content-length') && !names.has('transfer-encoding')) {
    lines.push(`Content-Length: ${bytes.length}`);
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}
