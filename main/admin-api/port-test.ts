import { connect, createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { SetupFinding } from '#common/model/setup-test.ts';
import { portHolder } from './port-holder.ts';

/**
 * Whether a port is available: determined by listening on it for a moment, which is the only reliable test. A port that
 * Sluice already serves is tested with a connection instead, which sends nothing and so causes no row in the journal.
 *
 * Limits: `CONNECT_MS_MAX` for that connection; at most `TRIED_MAX` ports are tried to find a free one.
 */
const CONNECT_MS_MAX = 1_000;
const TRIED_MAX = 20;
const PORT_MAX = 65_535;
const PRIVILEGED_BELOW = 1_024;

export interface PortQuestion {
  check: 'gatewayPort' | 'uiPort';
  host: string;
  port: number;
  /** The port of the same type that Sluice currently serves. */
  served: number | null;
  /**
   * The process that has this port now on another address that conflicts with this one, and releases it when the
   * settings are saved.
   */
  leaving?: number | null;
  /** The other of the two ports, from which this one must differ; null: the other one yields. */
  other: number | null;
}

type Found = SetupFinding<'gatewayPort' | 'uiPort'>;

export async function testPort(question: PortQuestion): Promise<Found> {
  const { check, host, port, served, other, leaving = null } = question;
  const found = (code: Found['code'], ok: boolean | null, values: Found['values'] = {}): Found => ({
    check,
    ok,
    code,
    values: { port, ...values },
  });
  if (port === 0) return found('any', null);
  if (port === other) return found('same', false, { free: await freePort(host, port + 1, [other]) });
  if (port === served) {
    const ms = await msToConnect(reachable(host), port);
    return ms === null ? found('unknown', null) : found('serves', true, { ms });
  }
  const refusal = await portRefusal(host, port);
  if (refusal === null) return found('free', true);
  const holder = refusal === 'EADDRINUSE' ? await portHolder(port) : null;
  if (leaving !== null && refusal === 'EADDRINUSE' && (holder === null || holder.pid === leaving))
    return found('free', true);
  if (refusal === 'EADDRNOTAVAIL') return found('no_such_address', false, { host });
  const start = refusal === 'EACCES' ? Math.max(port + 1, 8090) : port + 1;
  const free = await freePort(host, start, [other, served]);
  if (refusal === 'EACCES' && port < PRIVILEGED_BELOW) return found('privileged', false, { free });
  if (refusal !== 'EADDRINUSE') return found('unknown', false, { reason: refusal, free });
  return found('taken', false, { free, program: holder?.program ?? null, pid: holder?.pid ?? null });
}

/** Null if it can be listened on, else Node's error code. */
export function portRefusal(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

async function freePort(host: string, from: number, not: readonly (number | null)[]): Promise<number | null> {
  for (let port = from; port < from + TRIED_MAX && port <= PORT_MAX; port++) {
    if (!not.includes(port) && (await portRefusal(host, port)) === null) return port;
  }
  return null;
}

/** The address under which this PC reaches a listener on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** Milliseconds with one decimal, or null if the connection is not accepted in time. */
function msToConnect(host: string, port: number): Promise<number | null> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS_MAX });
    const end = (ms: number | null): void => {
      socket.destroy();
      resolve(ms);
    };
    socket.once('connect', () => end(Math.round((performance.now() - begun) * 10) / 10));
    socket.once('timeout', () => end(null));
    socket.once('error', () => end(null));
  });
}
