import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '#common/errors/catalogue.ts';
import type { RecordedCause } from '#common/errors/refusals.ts';
import type { RefusalWhy } from '#common/model/audit.ts';
import type { Cap, LimitedConnection } from './connection-limiter.ts';

/** A request that is being served, as its connection sees it. */
export interface RequestHandler {
  begin(): void;
  /** A framing error in the data that is still being read; false if the request had arrived completely. */
  framingFailed(code: ErrorCode, cause: RecordedCause): boolean;
  check(nowMs: number): void;
  /** Nothing would be lost with its connection: its next step is up to the caller, or it is queued for a refusal. */
  readonly mayBeEnded: boolean;
  /** The caller ended its side. It may have disconnected, or may still read its reply. */
  callerEnded(): void;
  callerGone(): void;
}

/** An accepted socket, as the request dispatcher knows it. */
export interface AcceptedSocket extends LimitedConnection {
  /** Unique per socket, even if its handshake and its connection are two objects. */
  readonly number: number;
  /**
   * Called if it is over a connection limit. `crowded`: over the hard limit too, so it is closed without a response.
   */
  overCap(cap: Cap, crowded: boolean): void;
}

/**
 * The interface between sockets and the gateway: `CoreDispatcher` in the main thread, `ThreadDispatcher` (threads/) in
 * others. `Socket` is the connection that the requests come from.
 */
export interface RequestDispatcher<Socket extends AcceptedSocket> {
  /** Replies close their connection from now on. */
  readonly draining: boolean;
  /** Adds an accepted socket. Calls its `overCap`, immediately or in a later turn, if it exceeds a limit. */
  enter(socket: AcceptedSocket): void;
  leave(socket: AcceptedSocket): void;
  exchange(connection: Socket, req: IncomingMessage, res: ServerResponse, waitsForContinue: boolean): RequestHandler;
  /** Refuses the connection itself: a row in the journal, then its closing response. */
  refuse(connection: Socket, code: ErrorCode, cause: RecordedCause): void;
  /** Writes a journal row for a socket that cannot receive a response. */
  record(peer: string, code: ErrorCode, cause: RecordedCause, compared: RefusalWhy['compared']): void;
  /** Reports how many bytes of its reply wait in memory for the caller. */
  holdReply(connection: Socket, bytes: number): void;
  releaseReply(connection: Socket): void;
}
