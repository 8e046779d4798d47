import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo, ListenOptions, Server as NetServer, Socket } from 'node:net';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import { createAcceptors } from './acceptors.ts';
import { Connection } from './connection.ts';
import type { RequestDispatcher } from './request-dispatcher.ts';
import { KEEP_ALIVE_BUFFER_MS, KEEP_ALIVE_MS, PARSER_HEAD_BYTES_MAX, TARGET_BYTES_MAX } from './limits.ts';
import { startTimeoutSweep } from './timeout-sweep.ts';
import { type SecureFront, watchHandshakes } from './secure-front.ts';
import { contextOptions, type TlsIdentity } from '#common/node/tls-context.ts';
import { handshakeCause } from './tls.ts';

// An `import` of node:http reads every export, and one of them loads a whole WebSocket client: some 0.2 s at each start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * A listener on a gateway port: node:http for the wire, `Connection` for order, `Exchange` for the steps. Over TLS it is
 * node:https, which hands the same parser the decrypted bytes; all limits hold there too.
 * Limits: connections in all and per address (connection-limiter.ts), head time, keep-alive; the rest is in limits.ts.
 */
export interface GatewayServer {
  /** Whether its sockets share the port, and might with those of another process. */
  readonly sharesPort: boolean;
  /** Resolves when nothing but `listen` itself is left to do before it listens. */
  prepare(): Promise<void>;
  /** `port` 0 = any free one. Gives the port. Throws what the system says. */
  listen(address: ListenAddress): Promise<number>;
  /** New connections prove this identity once it has resolved; the open ones go on. Throws when it cannot be used. */
  renew(identity: TlsIdentity): Promise<void>;
  /** Idle connections end now, busy ones after their reply. Resolves when nothing listens any more. */
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
  // Ours, in rounds: Node would end all that are late in one turn of the event loop.
  headersTimeout: 0,
  requestTimeout: 0,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveTimeoutBuffer: KEEP_ALIVE_BUFFER_MS,
  noDelay: true,
} as const satisfies ServerOptions;

/** `identity` null: plain HTTP. Throws when the identity cannot be used. */
export function createGatewayServer(desk: RequestDispatcher, identity: TlsIdentity | null): GatewayServer {
  const connections = new Map<Socket, Connection>();
  const secure = identity && secureServer(identity);
  const http = secure ?? createServer(OPTIONS);
  // No silent cut: the lines are counted in framing.ts, the bytes by the parser.
  http.maxHeadersCount = 0;
  // A caller that ends its side behind its request waits for the answer; without this Node ends ours before it is there.
  // Over TLS it would hide how a handshake ended.
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
      // Slow callers are judged until the last connection is gone.
      return { gone: closed.then(stopRounds) };
    },
    async destroy() {
      for (const one of listeners) one.close();
      front?.close();
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

function listening(server: NetServer, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    // It stays: an error of a listening server (out of file descriptors) must not end the process.
    server.on('error', reject);
    server.listen(options, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Loaded only when TLS is on. */
function secureServer(identity: TlsIdentity): SecureServer {
  const https = process.getBuiltinModule('node:https');
  // As node:http has it: a caller that ends its side first still gets its answer.
  return https.createServer({ ...OPTIONS, ...contextOptions(identity), allowHalfOpen: true });
}

/** The first byte of a caller that was given https:// for a port of plain HTTP (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;

interface ParseError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

function clientError(connection: Connection | undefined, error: ParseError, socket: Socket): void {
  const fault = handshakeCause(error.code);
  // In TLS 1.3 a caller judges our certificate when the handshake is over for us; then nothing can be said any more.
  if (connection && fault !== null) connection.failed(fault, error.code ?? '');
  const isBroken = error.code === 'ECONNRESET' || error.code === 'EPIPE';
  // One that is refused and ended waits for its caller to take the refusal, which a reset would overtake.
  if (!connection || isBroken || !(socket.writable || connection.closing)) return void socket.destroy();
  const { code, cause } = parseFault(error);
  connection.malformed(code, cause);
}

function parseFault(error: ParseError): { code: ErrorCode; cause: string } {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return targetTooLong(error.rawPacket)
      ? { code: 'bad_request', cause: 'the target is over 4,096 bytes' }
      : { code: 'headers_too_large', cause: 'headers_too_large' };
  }
  if (error.code === 'HPE_INVALID_METHOD' && error.rawPacket?.[0] === TLS_HANDSHAKE)
    return { code: 'bad_request', cause: 'TLS, where plain HTTP is spoken' };
  return { code: 'bad_request', cause: error.code ?? 'malformed' };
}

const LINE_FEED = 10;

/** Whether the parser's last read shows that the target alone passes its limit. */
function targetTooLong(packet: Buffer | undefined): boolean {
  if (!packet) return false;
  const lineEnd = packet.indexOf(LINE_FEED);
  const line = packet.toString('latin1', 0, lineEnd < 0 ? packet.length : lineEnd);
  const begins = /^[A-Z]+ \//.test(line);
  // A request line that began in a read before ends in this one; a header that looks like it is refused all the same.
  return begins ? line.length > TARGET_BYTES_MAX : / HTTP\/1\.[01]\r?$/.test(line);
}
