import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { SecureContext } from 'node:tls';
import { pinnedLookup } from '#net/pinned-lookup.ts';
import { ForwardAgent, TunnelAgent } from './proxy-agents.ts';

export const SOCKETS_PER_AGENT_MAX = 32;
const FREE_SOCKETS_MAX = 8;
/** Below the 5 s after which many servers end an idle connection: what meets one that just ended has to be sent again. */
export const SOCKET_IDLE_MS = 4000;

export interface Dial {
  /** The target is called by TLS, and how; null = plain HTTP. */
  readonly tls: SecureContext | null;
  /** The addresses to dial: the target's, or the proxy's. Checked. */
  readonly addresses: readonly string[];
  readonly proxy: { readonly host: string; readonly port: number } | null;
}

/** Connections to one target: those that are kept for further calls, and those that serve one. */
export interface Agents {
  readonly kept: HttpAgent;
  /** An agent of its own: from another, a request may get a connection that was used, also one that it waited for. */
  readonly fresh: HttpAgent;
}

/** Each connection is to an address that was checked, whatever the name server says meanwhile. */
export function openAgents(dial: Dial): Agents {
  return { kept: openAgent(dial, KEPT), fresh: openAgent(dial, FRESH) };
}

function openAgent({ tls, addresses, proxy }: Dial, pool: AgentOptions): HttpAgent | HttpsAgent {
  const lookup = pinnedLookup(addresses);
  const options = { ...pool, lookup };
  const via = proxy === null ? null : { host: proxy.host, port: proxy.port, lookup };
  if (tls === null) return via === null ? new HttpAgent(options) : new ForwardAgent(options, via);
  // Written out, so that NODE_TLS_REJECT_UNAUTHORIZED of the environment changes nothing.
  const secure = { ...options, secureContext: tls, rejectUnauthorized: true };
  return via === null ? new HttpsAgent(secure) : new TunnelAgent(secure, via);
}

const KEPT = {
  keepAlive: true,
  maxSockets: SOCKETS_PER_AGENT_MAX,
  maxFreeSockets: FREE_SOCKETS_MAX,
  scheduling: 'lifo',
  timeout: SOCKET_IDLE_MS,
} satisfies AgentOptions;

const FRESH = { keepAlive: false, maxSockets: SOCKETS_PER_AGENT_MAX } satisfies AgentOptions;
