import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import { Connection } from './connection.ts';
import type { Edge } from './edge.ts';
import {
  CHECK_INTERVAL_MS,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  HEAD_MS_MAX,
  KEEP_ALIVE_MS,
  PARSER_HEAD_BYTES_MAX,
  TARGET_BYTES_MAX,
} from './limits.ts';

// An `import` of node:http reads every export, and one of them loads a whole WebSocket client: some 0.2 s at each start.
const { createServer } = process.getBuiltinModule('node:http');

/**
 * The listener on the gateway port: node:http for the wire, `Connection` for order, `Exchange` for the steps.
 * Limits: connections in all and per address, head time, keep-alive; the rest is in limits.ts.
 */
export interface GatewayServer {
  readonly http: Server;
  readonly connections: ReadonlySet<Connection>;
  /** Stops listening; idle connections end now, busy ones after their reply. Resolves when all are gone. */
  close(): Promise<void>;
  /** Stops listening and ends every connection at once. */
  destroy(): void;
}

export function createGatewayServer(edge: Edge): GatewayServer {
  const connections = new Map<Socket, Connection>();
  const perAddress = new Map<string, Set<Connection>>();
  const http = createServer({
    maxHeaderSize: PARSER_HEAD_BYTES_MAX,
    requireHostHeader: false,
    insecureHTTPParser: false,
    headersTimeout: HEAD_MS_MAX,
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveTimeoutBuffer: 0,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    noDelay: true,
  });
  // No silent cut: the lines are counted in framing.ts, the bytes by the parser.
  http.maxHeadersCount = 0;

  http.on('connection', (socket) => {
    const connection = new Connection(socket, edge);
    connections.set(socket, connection);
    const ofPeer = perAddress.get(connection.peer) ?? new Set();
    perAddress.set(connection.peer, ofPeer.add(connection));
    socket.on('close', () => {
      connections.delete(socket);
      ofPeer.delete(connection);
      if (ofPeer.size === 0 && perAddress.get(connection.peer) === ofPeer) perAddress.delete(connection.peer);
    });
    if (connections.size > CONNECTIONS_MAX) return connection.refuse('overloaded', 'connections');
    if (ofPeer.size <= CONNECTIONS_PER_ADDRESS_MAX || edge.trustedProxies.has(connection.peer)) return;
    // A refused socket lingers so that its caller can read the answer; it must not cost that caller its next call.
    const lingering = ofPeer.values().find((other) => other.answered);
    if (!lingering) return connection.refuse('overloaded', 'connections_per_address');
    ofPeer.delete(lingering);
    lingering.socket.destroy();
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
  const checker = setInterval(() => {
    const nowMs = performance.now();
    for (const connection of connections.values()) connection.check(nowMs);
  }, CHECK_INTERVAL_MS).unref();

  return {
    http,
    get connections() {
      return new Set(connections.values());
    },
    close() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      for (const connection of connections.values()) connection.endAfterReply();
      // Slow bodies are judged until the last connection is gone.
      return closed.then(() => clearInterval(checker));
    },
    destroy() {
      http.close();
      for (const socket of connections.keys()) socket.destroy();
    },
  };
}

interface ParseError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

function clientError(connection: Connection | undefined, error: ParseError, socket: Socket): void {
  if (!connection || !socket.writable || error.code === 'ECONNRESET' || error.code === 'EPIPE')
    return void socket.destroy();
  const { code, cause } = parseFault(error);
  connection.malformed(code, cause);
}

function parseFault(error: ParseError): { code: ErrorCode; cause: string } {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return { code: 'request_timeout', cause: 'head_too_slow' };
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return targetTooLong(error.rawPacket)
      ? { code: 'bad_request', cause: 'the target is over 4,096 bytes' }
      : { code: 'headers_too_large', cause: 'headers_too_large' };
  }
  return { code: 'bad_request', cause: error.code ?? 'malformed' };
}

/** Whether the parser's last read is a request line that alone passes the target's limit. */
function targetTooLong(packet: Buffer | undefined): boolean {
  if (!packet || packet.length <= TARGET_BYTES_MAX) return false;
  const start = packet.toString('latin1', 0, TARGET_BYTES_MAX + 16);
  return /^[A-Z]+ \//.test(start) && !start.includes('\n');
}
