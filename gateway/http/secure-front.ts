import type { Server } from 'node:https';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { RefusalCause } from '#common/errors/refusals.ts';
import { normaliseAddress } from '#common/cidr.ts';
import type { Connection } from './connection.ts';
import type { AcceptedSocket, RequestDispatcher } from './request-dispatcher.ts';
import { CAP_CODE, type Cap } from './connection-limiter.ts';
import { CONNECTIONS_MAX, HANDSHAKE_MS_MAX } from './limits.ts';
import type { Checked } from './timeout-sweep.ts';
import { handshakeCause } from './tls.ts';

/**
 * The state before a connection on a TLS listener: an accepted socket during its handshake. It counts towards the
 * limits from the accept on. Limits: `HANDSHAKE_MS_MAX` from accept to the end of the handshake, however slowly it
 * arrives (Node's own limit restarts with each byte).
 */
class Handshake implements AcceptedSocket, Checked {
  readonly socket: Socket;
  readonly number: number;
  readonly peer: string;
  readonly startedMs = performance.now();
  /** The limit that it exceeds; the refusal is sent as soon as it can be. */
  over: Cap | null = null;
  connection: Connection | null = null;
  /** Its outcome is in the journal. */
  reported = false;
  readonly #desk: RequestDispatcher<Connection>;

  constructor(socket: Socket, desk: RequestDispatcher<Connection>, number: number) {
    this.#desk = desk;
    this.socket = socket;
    this.number = number;
    this.peer = normaliseAddress(socket.remoteAddress ?? '');
  }

  get answered(): boolean {
    return this.connection?.answered ?? false;
  }

  /** Before its first request it waits for the caller too. */
  get waits(): boolean {
    return this.connection?.waits ?? true;
  }

  get halfOpen(): boolean {
    return this.connection?.halfOpen ?? true;
  }

  get keyed(): boolean {
    return this.connection?.keyed ?? false;
  }

  get idleSinceMs(): number | null {
    return this.connection?.idleSinceMs ?? null;
  }

  destroy(): void {
    this.socket.destroy();
  }

  overCap(cap: Cap, crowded: boolean): void {
    this.over = cap;
    if (crowded) this.fail(CAP_CODE, cap);
    else this.connection?.overCap(cap);
  }

  makeRoom(): void {
    if (this.connection) return this.connection.makeRoom();
    this.reported = true;
    this.#desk.record(this.peer, 'overloaded', 'made_room', { limit: CONNECTIONS_MAX });
    this.socket.destroy();
  }

  /**
   * A caller that cannot complete the handshake cannot read a response: the socket is closed, and the journal records
   * why.
   */
  fail(code: 'bad_request' | 'overloaded' | 'request_timeout', cause: RefusalCause, why = ''): void {
    this.destroy();
    if (this.reported) return;
    this.reported = true;
    this.#desk.record(this.peer, code, cause, why === '' ? {} : { reason: why });
  }

  check(nowMs: number): boolean {
    if (this.socket.destroyed || nowMs - this.startedMs <= HANDSHAKE_MS_MAX) return false;
    this.fail('request_timeout', 'tls_too_slow');
    return true;
  }
}

export interface SecureFront {
  /** Sockets that have not completed their handshake. */
  underWay(): Iterable<Checked>;
  /** Ends all sockets that have not completed their handshake. */
  close(): void;
}

export interface SecureFrontParts {
  server: Server;
  desk: RequestDispatcher<Connection>;
  nextNumber(): number;
  /** Called for each socket that completed its handshake. */
  open(socket: TLSSocket, number: number): Connection;
}

export function watchHandshakes({ server, desk, nextNumber, open }: SecureFrontParts): SecureFront {
  const underWay = new Map<string, Handshake>();

  server.on('connection', (socket: Socket) => {
    const handshake = new Handshake(socket, desk, nextNumber());
    const place = placeOf(socket);
    underWay.set(place, handshake);
    socket.on('close', () => {
      desk.leave(handshake);
      if (underWay.get(place) === handshake) underWay.delete(place);
    });
    desk.enter(handshake);
  });
  server.on('secureConnection', (socket) => {
    const place = placeOf(socket);
    const handshake = underWay.get(place);
    underWay.delete(place);
    if (!handshake || handshake.reported) return void socket.destroy();
    handshake.connection = open(socket, handshake.number);
    if (handshake.over) handshake.connection.overCap(handshake.over);
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    const handshake = underWay.get(placeOf(socket));
    const cause = handshakeCause(error.code);
    if (handshake && cause !== null) handshake.fail('bad_request', cause, error.code);
  });

  return {
    underWay: () => underWay.values(),
    close() {
      for (const handshake of underWay.values()) handshake.destroy();
    },
  };
}

/** The same for a socket and for its TLS; unique among the open ones of a listener. */
function placeOf(socket: Socket): string {
  const { remoteAddress, remotePort } = socket.remoteAddress === undefined ? madeOf(socket) : socket;
  return `${remoteAddress} ${remotePort}`;
}

/**
 * After a reset, the system no longer knows the caller's address, and a caller that rejects the certificate often
 * resets at once. The underlying socket was asked in time and remembers it; Node has no public API for this.
 */
function madeOf(socket: Socket): Socket {
  const below: unknown = Reflect.get(socket, '_parent');
  return below instanceof Socket ? below : socket;
}
