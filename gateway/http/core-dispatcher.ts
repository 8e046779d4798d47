import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import type { RefusalWhy } from '#common/model/audit.ts';
import type { Connection } from './connection.ts';
import type { AcceptedSocket, RequestDispatcher, RequestHandler } from './request-dispatcher.ts';
import type { GatewayContext } from './gateway-context.ts';
import { Exchange } from './exchange.ts';
import type { ConnectionLimiter } from './connection-limiter.ts';
import { recordRefusedSocket, refuseConnection } from './refusal.ts';

/** The request dispatcher for sockets in the gateway's main thread. */
export class CoreDispatcher implements RequestDispatcher<Connection> {
  readonly #edge: GatewayContext;
  readonly #guests: ConnectionLimiter;

  constructor(edge: GatewayContext, guests: ConnectionLimiter) {
    this.#edge = edge;
    this.#guests = guests;
  }

  get draining(): boolean {
    return this.#edge.draining;
  }

  enter(socket: AcceptedSocket): void {
    const cap = this.#guests.enter(socket, this.#edge.trustedProxies);
    if (cap) socket.overCap(cap, this.#guests.crowded(cap, socket));
  }

  leave(socket: AcceptedSocket): void {
    this.#guests.leave(socket);
  }

  exchange(
    connection: Connection,
    req: IncomingMessage,
    res: ServerResponse,
    waitsForContinue: boolean,
  ): RequestHandler {
    return new Exchange(this.#edge, connection, req, res, waitsForContinue);
  }

  refuse(connection: Connection, code: ErrorCode, cause: RecordedCause): void {
    refuseConnection(this.#edge, connection, code, cause);
  }

  record(peer: string, code: ErrorCode, cause: RecordedCause, compared: RefusalWhy['compared']): void {
    recordRefusedSocket(this.#edge, peer, code, cause, compared);
  }

  holdReply(connection: Connection, bytes: number): void {
    this.#edge.unsentReplies.hold(connection, bytes);
  }

  releaseReply(connection: Connection): void {
    this.#edge.unsentReplies.release(connection);
  }
}
