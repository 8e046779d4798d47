import type { Socket } from 'node:net';

/**
 * Resets a connection (RST) instead of ending it. One whose end was already begun here is destroyed the plain way:
 * libuv refuses to reset it, Node 24 takes no notice, and the socket would neither close nor say so, ever.
 */
export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
