import { type FieldError, SluiceError } from '#common/errors/catalogue.ts';
import type { Settings } from '#common/model/settings.ts';
import type { GatewayServer } from '../http/server.ts';
import { contextOptions, type TlsIdentity } from '#common/node/tls-context.ts';
import { stated } from '#common/errors/rules.ts';

/** An address in the settings. */
export interface EndpointPlan {
  readonly setting: 'gatewayPort' | 'plainHttpPort';
  readonly host: string;
  /** As in the settings; 0: any free port. */
  readonly wanted: number;
  /** Null: plain HTTP. */
  readonly identity: TlsIdentity | null;
  /** The number of threads that own its sockets; 0: the main thread of the gateway. */
  readonly threads: number;
}

/** An endpoint that is being listened on. */
export interface ListenEndpoint extends EndpointPlan {
  readonly port: number;
  readonly server: GatewayServer;
}

/**
 * Throws SluiceError `invalid` if TLS is enabled without a usable certificate and key: it never falls back to plain
 * HTTP.
 */
export function endpointPlans(settings: Settings): EndpointPlan[] {
  const { gatewayHost: host, gatewayPort, plainHttpPort } = settings;
  const identity = identityOf(settings);
  const threads = httpThreads(settings.workers);
  const main: EndpointPlan = { setting: 'gatewayPort', host, wanted: gatewayPort, identity, threads };
  if (identity === null || plainHttpPort === null) return [main];
  return [main, { setting: 'plainHttpPort', host, wanted: plainHttpPort, identity: null, threads }];
}

export function isSamePlan(one: EndpointPlan, other: EndpointPlan): boolean {
  return (
    one.host === other.host &&
    one.wanted === other.wanted &&
    one.threads === other.threads &&
    isSameIdentity(one.identity, other.identity)
  );
}

/** One worker is the main thread of the gateway; with two or more, the main thread has no sockets. */
function httpThreads(workers: number): number {
  return workers - 1;
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
    // OpenSSL's own message may quote its input.
    throw unusable('it cannot be used for TLS with its key');
  }
  return identity;
}

function unusable(message: string): SluiceError {
  const path = 'tlsCertificate';
  return new SluiceError('invalid', `${path}: ${message}`, { errors: [{ path, message }] });
}

/** Throws SluiceError `conflict` with a plain sentence if the threads of the server cannot be started. */
export async function prepare(server: GatewayServer): Promise<void> {
  try {
    await server.prepare();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${reason}; fewer may do`;
    throw new SluiceError('conflict', `workers: ${message}`, { errors: [{ path: 'workers', message }], cause: error });
  }
}

/**
 * Resolves with the port. Throws SluiceError `conflict` with a plain sentence if the address cannot be used; some
 * threads of the server may then be listening until it is destroyed.
 */
export async function listen(server: GatewayServer, { setting, host }: EndpointPlan, port: number): Promise<number> {
  try {
    if (server.sharesPort && port !== 0) await expectFree(host, port);
    return await server.listen({ host, port });
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    const { flag, ...broken } = listenProblem(cause, setting, host, port);
    const { path, message } = broken;
    const detail = flag === null ? `${path}: ${message}` : `${flag}: ${message} with --${flag}`;
    throw new SluiceError('conflict', detail, { errors: [broken], cause });
  }
}

/** Sockets that share a port also share it with another Sluice of the same user, which would get half of the calls. */
async function expectFree(host: string, port: number): Promise<void> {
  const probe = process.getBuiltinModule('node:net').createServer((socket) => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ host, port }, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}

/** `flag`: that of the setting to change; the additional plain port has none. `message` ends with the remedy. */
function listenProblem(
  error: NodeJS.ErrnoException,
  setting: EndpointPlan['setting'],
  host: string,
  port: number,
): FieldError & { path: 'gatewayPort' | 'plainHttpPort' | 'gatewayHost'; flag: string | null } {
  const at = { path: setting, flag: setting === 'gatewayPort' ? 'gateway-port' : null };
  if (error.code === 'EADDRNOTAVAIL') {
    return {
      path: 'gatewayHost',
      flag: 'gateway-host',
      ...stated('address_missing', { address: host }),
    };
  }
  if (error.code === 'EADDRINUSE') {
    return { ...at, ...stated('port_taken', { port: String(port) }) };
  }
  if (error.code === 'EACCES') {
    return { ...at, ...stated('port_refused', { port: String(port) }) };
  }
  return { ...at, message: `cannot listen on ${host} port ${port} (${error.code ?? error.message}); choose another` };
}
