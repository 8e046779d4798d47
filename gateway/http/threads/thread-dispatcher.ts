import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import type { RefusalWhy } from '#common/model/audit.ts';
import type { Connection } from '../connection.ts';
import type { AcceptedSocket, RequestDispatcher, RequestHandler } from '../request-dispatcher.ts';
import { CAP_CODE, type Cap } from '../connection-limiter.ts';
import { CONNECTIONS_MAX, REFUSED_SOCKETS_MAX } from '../limits.ts';
import { BodyCredit } from './body-credit.ts';
import { type Batch, CALLER, CORE } from './messages.ts';
import type { MessageBatch } from './message-batch.ts';
import { RelayedExchange } from './relayed-exchange.ts';

const SOCKETS_MAX = CONNECTIONS_MAX + REFUSED_SOCKETS_MAX;

/**
 * The request dispatcher for sockets in an HTTP thread. It decides nothing: the core is notified of each socket before
 * its first request and decides what happens to it. The exception is a socket beyond SOCKETS_MAX, which the core would
 * not accept. Messages about a socket that has gone are dropped.
 */
export class ThreadDispatcher implements RequestDispatcher<Connection> {
  draining = false;
  readonly #core: MessageBatch;
  readonly #credit = new BodyCredit();
  readonly #sockets = new Map<number, AcceptedSocket>();
  /** The core has been notified that there is no room: one row for all refused sockets, until there is room again. */
  #fullIsTold = false;
  /** Connections refused outside any request. */
  readonly #refused = new Map<number, Connection>();
  /** The newest exchange of each connection. */
  readonly #exchanges = new Map<number, RelayedExchange>();

  constructor(core: MessageBatch) {
    this.#core = core;
  }

  enter(socket: AcceptedSocket): void {
    if (this.#sockets.size >= SOCKETS_MAX) return this.#endUnanswered(socket);
    this.#fullIsTold = false;
    this.#sockets.set(socket.number, socket);
    this.#core.put(CALLER.opened, socket.number, socket.peer);
  }

  leave({ number }: AcceptedSocket): void {
    if (!this.#sockets.delete(number)) return;
    this.#refused.delete(number);
    this.#exchanges.delete(number);
    this.#core.put(CALLER.closed, number);
  }

  exchange(
    connection: Connection,
    req: IncomingMessage,
    res: ServerResponse,
    waitsForContinue: boolean,
  ): RequestHandler {
    const exchange = new RelayedExchange(this.#core, this.#credit, { connection, req, res, waitsForContinue });
    this.#exchanges.set(connection.number, exchange);
    return exchange;
  }

  refuse(connection: Connection, code: ErrorCode, cause: RecordedCause): void {
    this.#refused.set(connection.number, connection);
    this.#core.put(CALLER.refused, connection.number, code, cause);
  }

  record(peer: string, code: ErrorCode, cause: RecordedCause, compared: RefusalWhy['compared']): void {
    this.#core.put(CALLER.record, peer, code, cause, compared);
  }

  holdReply({ number }: Connection, bytes: number): void {
    this.#core.put(CALLER.holdsReply, number, bytes);
  }

  /** The core releases it when it is notified that the reply has ended. */
  releaseReply(): void {}

  #endUnanswered(socket: AcceptedSocket): void {
    socket.destroy();
    if (!this.#fullIsTold) this.record(socket.peer, CAP_CODE, 'connections', { limit: CONNECTIONS_MAX });
    this.#fullIsTold = true;
  }

  /** Executes the messages of the core. */
  take(batch: Batch): void {
    for (let at = 0; at < batch.length;) at = this.#item(batch, at);
  }

  /** Returns the position of the next item. */
  #item(batch: Batch, at: number): number {
    const number = batch[at + 1] as number;
    const exchange = this.#exchanges.get(number);
    switch (batch[at]) {
      case CORE.reply:
        return reply(exchange, batch, at);
      case CORE.bodiesTaken:
        this.#credit.taken(number);
        return at + 2;
      case CORE.stopReading:
        exchange?.stopReading();
        return at + 2;
      case CORE.closing:
        this.#close(number, exchange, batch[at + 2] as string);
        return at + 3;
      case CORE.readBody:
        exchange?.readBody();
        return at + 2;
      case CORE.continue:
        exchange?.continue();
        return at + 2;
      case CORE.leaveBody:
        exchange?.connection.leaveBody();
        return at + 2;
      case CORE.overCap:
        this.#sockets.get(number)?.overCap(batch[at + 2] as Cap, batch[at + 3] === 1);
        return at + 4;
      case CORE.turnAway:
        exchange?.turnAway();
        return at + 2;
      case CORE.giveUpReply:
        exchange?.giveUpReply();
        return at + 2;
      case CORE.destroy:
        this.#sockets.get(number)?.destroy();
        return at + 2;
      default:
        throw new Error(`the core said ${batch[at] as number}, which nobody here knows`);
    }
  }

  #close(number: number, exchange: RelayedExchange | undefined, answer: string): void {
    const connection = this.#refused.get(number) ?? exchange?.connection;
    connection?.sendClosing(answer);
    exchange?.refused();
  }
}

function reply(exchange: RelayedExchange | undefined, batch: Batch, at: number): number {
  const [, , status, count] = batch.slice(at, at + 4) as [number, number, number, number];
  const end = at + 4 + count;
  exchange?.reply(status, batch.slice(at + 4, end) as string[], batch[end] as string | Uint8Array | null);
  return end + 1;
}
