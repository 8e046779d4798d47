import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Settings } from '#common/model/settings.ts';
import type { GatewayServer } from '../http/server.ts';
import { contextOptions, type TlsIdentity } from '../http/tls.ts';

/** One address that the settings ask for. */
export interface DoorPlan {
  readonly setting: 'gatewayPort' | 'plainHttpPort';
  readonly host: string;
  /** As in the settings; 0 = any free one. */
  readonly wanted: number;
  /** Null: plain HTTP. */
  readonly identity: TlsIdentity | null;
}

/** One that is listened on. */
export interface Door extends DoorPlan {
  readonly port: number;
  readonly server: GatewayServer;
}

const BACKLOG = 1024;

/** Throws SluiceError `invalid` when TLS is asked for without a certificate and key that can be used: never plain instead. */
export function doorPlans(settings: Settings): DoorPlan[] {
  const { gatewayHost: host, gatewayPort, plainHttpPort } = settings;
  const identity = identityOf(settings);
  const main: DoorPlan = { setting: 'gatewayPort', host, wanted: gatewayPort, identity };
  if (identity === null || plainHttpPort === null) return [main];
  return [main, { setting: 'plainHttpPort', host, wanted: plainHttpPort, identity: null }];
}

export function isSamePlan(one: DoorPlan, other: DoorPlan): boolean {
  return one.host === other.host && one.wanted === other.wanted && isSameIdentity(one.identity, other.identity);
}

export function isSameIdentity(one: TlsIdentity | null, other: TlsIdentity | null): boolean {
  return one?.certificate === other?.certificate && one?.key === other?.key;
}

function identityOf({ tls, tlsCertificate, tlsKey }: Settings): TlsIdentity | null {
  if (tls === 'off') return null;
  if (tlsCertificate === null || tlsKey === null) throw unusable('there is none, or no key to it');
  const identity = { certificate: tlsCertificate, key: tlsKey };
  try {
    process.getBuiltinModule('node:tls').createSecureContext(contextOptions(identity));
  } catch {
    // OpenSSL's own message may quote what it read.
    throw unusable('it cannot be used for TLS with its key');
  }
  return identity;
}

function unusable(message: string): SluiceError {
  const path = 'tlsCertificate';
  return new SluiceError('invalid', `${path}: ${message}`, { errors: [{ path, message }] });
}

/** Resolves with the port. Throws SluiceError `conflict` with a plain sentence when the address cannot be had. */
export async function listen(server: GatewayServer, { setting, host }: DoorPlan, port: number): Promise<number> {
  const { http, acceptors } = server;
  const reusePort = acceptors.length > 0;
  try {
    if (reusePort && port !== 0) await expectFree(host, port);
    const options = { host, backlog: BACKLOG, reusePort };
    const got = await listening(http, { ...options, port });
    for (const one of acceptors) await listening(one, { ...options, port: got });
    return got;
  } catch (error) {
    server.destroy();
    const cause = error as NodeJS.ErrnoException;
    throw new SluiceError('conflict', listenProblem(cause, setting, host, port), { cause });
  }
}

/** Sockets that share a port share it with another Sluice of the same user too, which would get half of the calls. */
async function expectFree(host: string, port: number): Promise<void> {
  const probe = process.getBuiltinModule('node:net').createServer((socket) => void socket.destroy());
  await listening(probe, { host, port });
  await new Promise((resolve) => probe.close(resolve));
}

function listening(server: Server, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    // It stays: an error of a listening server (out of file descriptors) must not end the process.
    server.on('error', reject);
    server.listen(options, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenProblem(error: NodeJS.ErrnoException, setting: DoorPlan['setting'], host: string, port: number): string {
  // The plain port beside TLS has no flag.
  const [name, flag] = setting === 'gatewayPort' ? ['gateway-port', ' with --gateway-port'] : [setting, ''];
  if (error.code === 'EADDRINUSE') return `${name}: port ${port} is in use by another program; choose another${flag}`;
  if (error.code === 'EACCES')
    return `${name}: this user may not listen on port ${port}; choose one from 1024 up${flag}`;
  if (error.code === 'EADDRNOTAVAIL')
    return `gateway-host: this machine has no address ${host}; choose another with --gateway-host`;
  return `${name}: cannot listen on ${host} port ${port} (${error.code ?? error.message})`;
}
