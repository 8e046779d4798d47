import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RefusalWhy } from '#common/model/audit.ts';
import type { Connection } from './connection.ts';
import type { Cap, LimitedConnection } from './connection-limiter.ts';

/** A request that is being served, as its connection sees it. */
export interface RequestHandler {
  begin(): void;
  /** A framing error in what is still being read; false when the request had arrived whole. */
  framingFailed(code: ErrorCode, cause: string): boolean;
  check(nowMs: number): void;
  /** Nothing would be lost with its connection: its next step is the caller's, or it waits to be told a refusal. */
  readonly mayBeEnded: boolean;
  /** The caller ended its side, and may have hung up or still take its reply. */
  callerEnded(): void;
  callerGone(): void;
}

/** An accepted socket, as the desk knows it. */
export interface AcceptedSocket extends LimitedConnection {
  /** Its own, also where its handshake and its connection are two objects. */
  readonly number: number;
  /** It is beyond a cap, and is told so; `crowded`: there are too many even of those. */
  overCap(cap: Cap, crowded: boolean): void;
}

/** What sockets need of the gateway behind them: `CoreDispatcher` in its own thread, `ThreadDispatcher` (threads/) in others. */
export interface RequestDispatcher {
  /** Replies close their connection from now on. */
  readonly draining: boolean;
  /** Takes an accepted socket in, and tells it by `overCap` when it is beyond a cap: at once, or in a later turn. */
  enter(socket: AcceptedSocket): void;
  leave(socket: AcceptedSocket): void;
  exchange(
    connection: Connection,
    req: IncomingMessage,
    res: ServerResponse,
    waitsForContinue: boolean,
  ): RequestHandler;
  /** Refuses a connection as such: a row in the journal, then its closing answer. */
  refuse(connection: Connection, code: ErrorCode, cause: string): void;
  /** A row in the journal for a socket that cannot be answered. */
  record(peer: string, code: ErrorCode, cause: string, compared: RefusalWhy['compared']): void;
  /** So many bytes of its reply wait in memory for the caller. */
  holdReply(connection: Connection, bytes: number): void;
  releaseReply(connection: Connection): void;
}
