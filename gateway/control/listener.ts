import type { AddressInfo } from 'node:net';
import { SluiceError } from '#common/errors/catalogue.ts';
import { type Settings, unservedSettings } from '#common/model/settings.ts';
import type { Edge } from '../http/edge.ts';
import { createGatewayServer } from '../http/server.ts';

/** One listening address. */
export interface Listener {
  readonly port: number;
  readonly connections: number;
  /** Throws SluiceError `conflict` with a plain sentence when the address cannot be had. */
  listen(): Promise<void>;
  close(): Promise<void>;
  destroy(): void;
}

const BACKLOG = 1024;

export function openListener(edge: Edge, settings: Settings): Listener {
  refuseUnserved(settings);
  const server = createGatewayServer(edge);
  const { gatewayHost: host, gatewayPort: port } = settings;
  return {
    get port() {
      return (server.http.address() as AddressInfo | null)?.port ?? port;
    },
    get connections() {
      return server.connections.size;
    },
    listen: () =>
      new Promise((resolve, reject) => {
        // It stays: an error of a listening server (out of file descriptors) must not end the process.
        server.http.on('error', (error: NodeJS.ErrnoException) =>
          reject(new SluiceError('conflict', listenProblem(error, host, port), { cause: error })),
        );
        server.http.listen({ host, port, backlog: BACKLOG }, resolve);
      }),
    close: () => server.close(),
    destroy: () => server.destroy(),
  };
}

/** Fails closed: never plain HTTP where TLS was asked for. */
export function refuseUnserved(settings: Settings): void {
  const errors = unservedSettings(settings);
  if (errors.length === 0) return;
  throw new SluiceError('invalid', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors });
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `gateway-port: port ${port} is in use by another program; choose another with --gateway-port`;
  if (error.code === 'EACCES')
    return `gateway-port: this user may not listen on port ${port}; choose one from 1024 up with --gateway-port`;
  if (error.code === 'EADDRNOTAVAIL')
    return `gateway-host: this machine has no address ${host}; choose another with --gateway-host`;
  return `gateway-port: cannot listen on ${host} port ${port} (${error.code ?? error.message})`;
}
