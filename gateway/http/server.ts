import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo, ListenOptions, Server as NetServer, Socket } from 'node:net';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import type { ParserCode } from '#common/errors/request-faults.ts';
import { createAcceptors } from './acceptors.ts';
import { Connection } from './connection.ts';
import type { RequestDispatcher } from './request-dispatcher.ts';
import { KEEP_ALIVE_BUFFER_MS, KEEP_ALIVE_MS, PARSER_HEAD_BYTES_MAX, TARGET_BYTES_MAX } from './limits.ts';
import { startTimeoutSweep } from './timeout-sweep.ts';
import { type SecureFront, watchHandshakes } from './secure-front.ts';
import { contextOptions, type TlsIdentity } from '#common/node/tls-context.ts';
import { handshakeCause } from './tls.ts';

// An `import` of node:http reads every export, and one of them loads a whole WebSocket client: about 0.2 s at each
// start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * A listener on a gateway port: node:http for the wire, `Connection` for order, `Exchange` for the steps. Over TLS it
 * is node:https, which passes the decrypted bytes to the same parser, so all limits apply there too.
 * Limits: connections in total and per address (connection-limiter.ts), head time, keep-alive; the rest is in
 * limits.ts.
 */
export interface GatewayServer {
  /** Whether its sockets share the port, and might with those of another process. */
  readonly sharesPort: boolean;
  /** Resolves when only `listen` itself is left to do. */
  prepare(): Promise<void>;
  /** `port` 0: any free one. Returns the port. Throws the system's error. */
  listen(address: ListenAddress): Promise<number>;
  /** New connections use this identity once it has resolved; open ones continue. Throws if it cannot be used. */
  renew(identity: TlsIdentity): Promise<void>;
  /** Idle connections end now, busy ones after their reply. Resolves when nothing is listening. */
  close(): Promise<{ readonly gone: Promise<void> }>;
  /** Stops listening and ends every connection at once. Resolves when the port is free. */
  destroy(): Promise<void>;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const BACKLOG = 1024;

const OPTIONS = {
  maxHeaderSize: PARSER_HEAD_BYTES_MAX,
  requireHostHeader: false,
  insecureHTTPParser: false,
  // The gateway's own sweep ends late connections in groups. Node would end all of them in one turn of the event loop.
  headersTimeout: 0,
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveTimeoutBuffer: KEEP_ALIVE_BUFFER_MS,
  noDelay: true,
} as const satisfies ServerOptions;

/** `identity` null: plain HTTP. Throws if the identity cannot be used. */
export function createGatewayServer(desk: RequestDispatcher<Connection>, identity: TlsIdentity | null): GatewayServer {
  const connections = new Map<Socket, Connection>();
  const secure = identity && secureServer(identity);
  const http = secure ?? createServer(OPTIONS);
  // Nothing is cut silently: framing.ts counts the lines, the parser counts the bytes.
  http.maxHeadersCount = 0;
  // A caller that ends its side after its request still waits for the response. Without this option, Node ends the
  // gateway's side first. Over TLS this would hide the result of a handshake.
  if (!secure) Object.assign(http, { httpAllowHalfOpen: true });

  const acceptors = createAcceptors((socket) => void http.emit('connection', socket));
  const listeners: readonly NetServer[] = [http, ...acceptors];
  let accepted = 0;
  const nextNumber = (): number => (accepted += 1);
  const open = (socket: Socket, number: number): Connection => {
    const connection = new Connection(socket, desk, secure ? 'https' : 'http', number);
    connections.set(socket, connection);
    socket.on('close', () => connections.delete(socket));
    return connection;
  };
  const front: SecureFront | null = secure && watchHandshakes({ server: secure, desk, nextNumber, open });
  if (!front)
    http.on('connection', (socket) => {
      const connection = open(socket, nextNumber());
      socket.on('close', () => desk.leave(connection));
      desk.enter(connection);
    });
  const admit = (req: IncomingMessage, res: ServerResponse, waitsForContinue: boolean) =>
    connections.get(req.socket)?.admit(req, res, waitsForContinue);
  http.on('request', (req, res) => admit(req, res, false));
  http.on('checkContinue', (req, res) => admit(req, res, true));
  http.on('checkExpectation', (req, res) => admit(req, res, false));
  http.on('connect', (_req, socket) =>
    connections.get(socket as Socket)?.malformed('bad_request', 'CONNECT is not offered'),
  );
  http.on('clientError', (error: ParseError, socket) =>
    clientError(connections.get(socket as Socket), error, socket as Socket),
  );
  const stopRounds = startTimeoutSweep(function* () {
    if (front) yield* front.underWay();
    yield* connections.values();
  });

  let closed: Promise<unknown> | null = null;
  return {
    sharesPort: acceptors.length > 0,
    async prepare() {},
    async listen({ host, port }) {
      const options = { host, backlog: BACKLOG, reusePort: acceptors.length > 0 };
      const got = await listening(http, { ...options, port });
      for (const one of acceptors) await listening(one, { ...options, port: got });
      return got;
    },
    async renew(next) {
      secure?.setSecureContext(contextOptions(next));
    },
    async close() {
      closed ??= Promise.all(listeners.map((one) => new Promise<void>((resolve) => one.close(() => resolve()))));
      front?.close();
      for (const connection of connections.values()) connection.endAfterReply();
      // Slow callers are checked until the last connection is gone.
      return { gone: closed.then(stopRounds) };
    },
    async destroy() {
      stopRounds();
      for (const one of listeners) one.close();
      front?.close();
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

function listening(server: NetServer, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    // The listener stays: an error of a listening server (out of file descriptors) must not end the process.
    server.on('error', reject);
    server.listen(options, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Loaded only when TLS is on. */
function secureServer(identity: TlsIdentity): SecureServer {
  const https = process.getBuiltinModule('node:https');
  // Like node:http: a caller that ends its side first still receives its response.
  return https.createServer({ ...OPTIONS, ...contextOptions(identity), allowHalfOpen: true });
}

/** The first byte from a caller that uses https:// on a plain HTTP port (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;

interface ParseError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

function clientError(connection: Connection | undefined, error: ParseError, socket: Socket): void {
  const fault = handshakeCause(error.code);
  // In TLS 1.3 a caller checks the certificate after the server's part of the handshake; by then no response is
  // possible.
  if (connection && fault !== null) connection.failed(fault, error.code ?? '');
  const isBroken = error.code === 'ECONNRESET' || error.code === 'EPIPE';
  // A connection that is refused and ended waits until its caller has read the refusal, which a reset would overtake.
  if (!connection || isBroken || !(socket.writable || connection.closing)) return void socket.destroy();
  const { code, cause } = parseFault(error);
  connection.malformed(code, cause);
}

function parseFault(error: ParseError): { code: ErrorCode; cause: RecordedCause } {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return targetTooLong(error.rawPacket)
      ? { code: 'bad_request', cause: 'the target is over 4,096 bytes' }
      : { code: 'headers_too_large', cause: 'headers_too_large' };
  }
  if (error.code === 'HPE_INVALID_METHOD' && error.rawPacket?.[0] === TLS_HANDSHAKE)
    return { code: 'bad_request', cause: 'TLS, where plain HTTP is spoken' };
  // Node's codes are upper case.
  return { code: 'bad_request', cause: (error.code as ParserCode | undefined) ?? 'malformed' };
}

const LINE_FEED = 10;

/** Whether the parser's last read shows that the target alone exceeds its limit. */
function targetTooLong(packet: Buffer | undefined): boolean {
  if (!packet) return false;
  const lineEnd = packet.indexOf(LINE_FEED);
  const line = packet.toString('latin1', 0, lineEnd < 0 ? packet.length : lineEnd);
  const begins = /^[A-Z]+ \//.test(line);
  // A request line from an earlier read ends in this one. A header that looks like one is refused anyway.
  return begins ? line.length > TARGET_BYTES_MAX : / HTTP\/1\.[01]\r?$/.test(line);
}
