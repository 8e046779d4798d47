import type { Server } from 'node:https';
import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { normaliseAddress } from '#common/cidr.ts';
import type { Connection } from './connection.ts';
import type { Edge } from './edge.ts';
import { CAP_CODE, type Cap, type Guest, type Guests } from './guests.ts';
import { CONNECTIONS_MAX, HANDSHAKE_MS_MAX } from './limits.ts';
import { recordRefusedSocket } from './refusal.ts';
import type { Checked } from './rounds.ts';
import { handshakeCause } from './tls.ts';

/**
 * What is before a connection on a TLS listener: the accepted socket while it shakes hands. It counts against the caps
 * from its first moment. Limits: `HANDSHAKE_MS_MAX` from accept to the end of the handshake, however it trickles (Node's
 * own limit begins anew with each byte).
 */
class Handshake implements Guest, Checked {
  readonly socket: Socket;
  readonly peer: string;
  readonly startedMs = performance.now();
  /** The cap that it is beyond: told as soon as it can be. */
  over: Cap | null = null;
  connection: Connection | null = null;
  /** What became of it is in the journal. */
  told = false;
  readonly #edge: Edge;

  constructor(socket: Socket, edge: Edge) {
    this.#edge = edge;
    this.socket = socket;
    this.peer = normaliseAddress(socket.remoteAddress ?? '');
  }

  get answered(): boolean {
    return this.connection?.answered ?? false;
  }

  /** Before its first request it waits for the caller too. */
  get waits(): boolean {
    return this.connection?.waits ?? true;
  }

  destroy(): void {
    this.socket.destroy();
  }

  makeRoom(): void {
    if (this.connection) return this.connection.makeRoom();
    this.told = true;
    recordRefusedSocket(this.#edge, this.peer, 'overloaded', 'made_room', { limit: CONNECTIONS_MAX });
    this.socket.destroy();
  }

  /** A caller that cannot shake hands cannot read an answer: it is told by the end of the socket, we by the journal. */
  fail(code: 'bad_request' | 'overloaded' | 'request_timeout', cause: string, why = ''): void {
    this.destroy();
    if (this.told) return;
    this.told = true;
    recordRefusedSocket(this.#edge, this.peer, code, cause, why === '' ? {} : { reason: why });
  }

  check(nowMs: number): boolean {
    if (this.socket.destroyed || nowMs - this.startedMs <= HANDSHAKE_MS_MAX) return false;
    this.fail('request_timeout', 'tls_too_slow');
    return true;
  }
}

export interface SecureFront {
  /** All that have not come through their handshake. */
  underWay(): Iterable<Checked>;
  /** Ends what has not come through its handshake. */
  close(): void;
}

export interface SecureFrontParts {
  server: Server;
  edge: Edge;
  guests: Guests;
  /** Called for each socket that came through. */
  open(socket: TLSSocket): Connection;
}

export function watchHandshakes({ server, edge, guests, open }: SecureFrontParts): SecureFront {
  const underWay = new Map<string, Handshake>();

  server.on('connection', (socket: Socket) => {
    const handshake = new Handshake(socket, edge);
    const place = placeOf(socket);
    underWay.set(place, handshake);
    handshake.over = guests.enter(handshake, edge.trustedProxies);
    socket.on('close', () => {
      guests.leave(handshake);
      if (underWay.get(place) === handshake) underWay.delete(place);
    });
    if (handshake.over && guests.crowded(handshake.over, handshake)) handshake.fail(CAP_CODE, handshake.over);
  });
  server.on('secureConnection', (socket) => {
    const place = placeOf(socket);
    const handshake = underWay.get(place);
    underWay.delete(place);
    if (!handshake || handshake.told) return void socket.destroy();
    handshake.connection = open(socket);
    if (handshake.over) handshake.connection.refuse(CAP_CODE, handshake.over);
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
 * The system no longer knows the address of a caller that has reset the connection, and one that turns our certificate
 * down often does so at once. The socket below was asked in time and remembers; Node has no public way to it.
 */
function madeOf(socket: Socket): Socket {
  const below: unknown = Reflect.get(socket, '_parent');
  return below instanceof Socket ? below : socket;
}
