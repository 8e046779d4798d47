import type { Socket } from 'node:net';

/**
 * Resets a connection (RST) instead of ending it. A connection whose end was already begun here is destroyed normally:
 * libuv refuses to reset it, Node 24 ignores that, and the socket would never close or emit an event.
 */
export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
