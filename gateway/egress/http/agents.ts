import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import type { SecureContext } from 'node:tls';
import { ForwardAgent, TunnelAgent } from './proxy-agents.ts';

export const SOCKETS_PER_AGENT_MAX = 32;
const FREE_SOCKETS_MAX = 8;
/** Below the 5 s after which many servers end an idle connection: a call on one that just ended fails. */
export const SOCKET_IDLE_MS = 4000;

export interface Dial {
  /** The target is called by TLS, and how; null = plain HTTP. */
  readonly tls: SecureContext | null;
  /** What is dialled: the target, or the proxy. Checked. */
  readonly addresses: readonly string[];
  readonly proxy: { readonly host: string; readonly port: number } | null;
}

/** Connections to one target, each to an address that was checked, whatever the name server says meanwhile. */
export function openAgent({ tls, addresses, proxy }: Dial): HttpAgent | HttpsAgent {
  const lookup = pinned(addresses);
  const options = { ...POOL, lookup };
  const via = proxy === null ? null : { host: proxy.host, port: proxy.port, lookup };
  if (tls === null) return via === null ? new HttpAgent(options) : new ForwardAgent(options, via);
  // Written out, so that NODE_TLS_REJECT_UNAUTHORIZED of the environment changes nothing.
  const secure = { ...options, secureContext: tls, rejectUnauthorized: true };
  return via === null ? new HttpsAgent(secure) : new TunnelAgent(secure, via);
}

const POOL = {
  keepAlive: true,
  maxSockets: SOCKETS_PER_AGENT_MAX,
  maxFreeSockets: FREE_SOCKETS_MAX,
  scheduling: 'lifo',
  timeout: SOCKET_IDLE_MS,
} satisfies AgentOptions;

/** A look-up that knows one answer. Addresses in figures are dialled without it; they were checked as such. */
function pinned(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const [first] = entries;
  return (_host, { all }, told) => {
    if (first === undefined) told(new Error('no address'), '');
    else if (all === true) told(null, entries);
    else told(null, first.address, first.family);
  };
}
