import type { Server, Socket } from 'node:net';

/**
 * Number of sockets that listen on one port, including the server's own. libuv accepts one connection per socket in
 * each turn of the event loop. With one socket, a gateway whose turns take 20 ms accepts 50 callers per second, and
 * many callers that reconnect after a stall wait longer than the stall itself. Measured with 1,200 connections under
 * three times the maximum load: with one socket, calls were unanswered after 10 s; with 16, all were answered. Only
 * Linux lets the sockets of one user share a port and distributes the callers over them.
 */
export const ACCEPTORS = process.platform === 'linux' ? 16 : 1;

/** The sockets in addition to the server's own. `accept` receives their accepted connections. */
export function createAcceptors(accept: (socket: Socket) => void): Server[] {
  const { createServer } = process.getBuiltinModule('node:net');
  // The options that node:http uses for its own socket.
  const options = { allowHalfOpen: true, noDelay: true };
  return Array.from({ length: ACCEPTORS - 1 }, () => createServer(options, accept));
}
