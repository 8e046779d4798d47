import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { AdminConnections } from './admin-connections.ts';

/**
 * The socket of the admin API: loopback only. Remote technicians use a tunnel, which sends a loopback Host.
 *
 * Limits: 256 connections, the least useful of which is closed for a new one (admin-connections.ts); a head within 10
 * s, a whole request within 60 s; 16 KiB of headers; idle 5 s.
 */
export const CONNECTIONS_MAX = 256;
const LOOPBACK = '127.0.0.1';

export interface AdminServer {
  readonly port: number;
  /** Stops listening, ends idle connections immediately and the others after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** Rejects with Node's error (`EADDRINUSE` …) if the port cannot be opened. */
export async function listenAdminApi(app: Express, port: number): Promise<AdminServer> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
    },
    app,
  );
  const connections = new AdminConnections(CONNECTIONS_MAX);
  server.on('connection', (socket) => connections.opened(socket));
  // Before the app, which may respond immediately.
  server.prependListener('request', (request, response) => connections.requested(request, response));
  app.addListener('session', (socket: Socket) => connections.admitted(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: portOf(server),
    close(graceMs = 2_000) {
      // Live streams never end on their own.
      app.emit('close');
      return close(server, graceMs);
    },
  };
}

function portOf(server: Server): number {
  const address: string | AddressInfo | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
