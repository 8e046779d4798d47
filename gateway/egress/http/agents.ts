import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { SecureContext } from 'node:tls';
import { pinnedLookup } from '#net/pinned-lookup.ts';
import { ForwardAgent, TunnelAgent } from './proxy-agents.ts';

export const SOCKETS_PER_AGENT_MAX = 32;
const FREE_SOCKETS_MAX = 8;
/**
 * Below the 5 s after which many servers close an idle connection: a request on a connection that was just closed has
 * to be sent again.
 */
export const SOCKET_IDLE_MS = 4000;

export interface Dial {
  /** TLS settings for the target; null: plain HTTP. */
  readonly tls: SecureContext | null;
  /** The checked addresses to connect to: those of the target or of the proxy. */
  readonly addresses: readonly string[];
  readonly proxy: { readonly host: string; readonly port: number } | null;
}

/** Connections to one target: idle ones that are kept for further calls, and those in use. */
export interface Agents {
  readonly kept: HttpAgent;
  /** A separate agent: otherwise a request could get a used connection, even one that it waited for. */
  readonly fresh: HttpAgent;
}

/** Each connection uses a checked address, even if DNS changes in the meantime. */
export function openAgents(dial: Dial): Agents {
  return { kept: openAgent(dial, KEPT), fresh: openAgent(dial, FRESH) };
}

function openAgent({ tls, addresses, proxy }: Dial, pool: AgentOptions): HttpAgent | HttpsAgent {
  const lookup = pinnedLookup(addresses);
  const options = { ...pool, lookup };
  const via = proxy === null ? null : { host: proxy.host, port: proxy.port, lookup };
  if (tls === null) return via === null ? new HttpAgent(options) : new ForwardAgent(options, via);
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment has no effect.
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
