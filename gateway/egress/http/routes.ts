import type { SecureContext } from 'node:tls';
import { type EgressUrl, readEgressUrl } from '#common/model/egress-settings.ts';
import { type LookUp, type Target, TargetGuard } from '#net/target-guard.ts';
import { type Agents, openAgents } from './agents.ts';
import type { HttpClientSettings, TlsMaterial } from './contract.ts';
import { CallFailure } from '#net/call-failure.ts';
import { Pins } from './pins.ts';
import { type Proxy, ProxyChoice } from './proxy-choice.ts';
import { secureContext, tlsKey } from './tls-context.ts';

/**
 * The connections of a client: agents (agents.ts) per target, pool, TLS settings and route (direct or through the
 * proxy), which connect only to their checked addresses.
 *
 * States of a route: in use -> retired (its addresses or the settings changed, or too many others were used since) ->
 * destroyed, once the calls that began on it have ended. Limits: ROUTES_MAX routes; sockets per agent and their idle
 * time in agents.ts.
 */
export const ROUTES_MAX = 256;

/** Network functions, replaced by tests. */
export interface Edge {
  readonly lookUp?: LookUp;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

interface Route {
  readonly addresses: string;
  readonly agents: Agents;
  calls: number;
  retired: boolean;
}

export interface Lease {
  readonly agents: Agents;
  readonly url: EgressUrl;
  readonly proxy: Proxy | null;
  /**
   * Calls `refuse` once if a change of the settings removes the target from the list, or selects another proxy; call
   * the returned function when the call has ended. Throws NodeError `target_refused` if the call is not allowed.
   */
  hold(refuse: (refusal: Error) => void): () => void;
  /** The call has ended. Called once. */
  release(): void;
}

export class Routes {
  readonly #guard: TargetGuard;
  readonly #pins: Pins;
  #proxies: ProxyChoice;
  #publicTls: SecureContext | undefined;
  /** The least recently used first. */
  readonly #kept = new Map<string, Route>();
  /** Calls in progress, each with its proxy. */
  readonly #held = new Set<{ host: string; proxy: Proxy | null; refuse: (refusal: Error) => void }>();

  constructor(settings: HttpClientSettings, { lookUp, now = () => performance.now() }: Edge = {}) {
    this.#guard = new TargetGuard(settings.allowedInternalTargets, lookUp);
    this.#pins = new Pins(this.#guard, now);
    this.#proxies = new ProxyChoice(settings.proxy, settings.proxyTargets);
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Throws NodeError `target_refused`, `target_unknown`, `tls_invalid`, or CallFailure. */
  async lease(origin: string, tls: TlsMaterial | null, pool: string): Promise<Lease> {
    const url = readEgressUrl(origin);
    if (url === null) throw new CallFailure('unreachable', 'the target is not a URL that can be called');
    const proxy = this.#proxies.for(url.host);
    if (proxy !== null) this.#guard.refuseLiteral(url.host, url.port);
    const { host, port } = proxy ?? url;
    const target = await this.#pins.of(host, port);
    const { addresses } = target;
    const key = `${url.origin} ${pool} ${url.secure ? tlsKey(tls) : ''} ${proxy === null ? '' : `${host}:${port}`}`;
    const route = this.#current(key, addresses) ?? this.#open(key, url, tls, addresses, proxy);
    route.calls += 1;
    const hold: Lease['hold'] = (refuse) => this.#hold(target, url.host, proxy, refuse);
    return { agents: route.agents, url, proxy, hold, release: () => this.#release(route) };
  }

  #hold(target: Target, host: string, proxy: Proxy | null, refuse: (refusal: Error) => void): () => void {
    const letGo = this.#guard.hold(target, refuse);
    const held = { host, proxy, refuse };
    this.#held.add(held);
    return () => {
      letGo();
      this.#held.delete(held);
    };
  }

  /**
   * Applies from the next lease on. Earlier targets are checked again, and calls that are no longer allowed are ended.
   */
  configure({ allowedInternalTargets, proxy, proxyTargets }: HttpClientSettings): void {
    this.#guard.configure(allowedInternalTargets);
    this.#proxies = new ProxyChoice(proxy, proxyTargets);
    for (const { host, proxy: before, refuse } of this.#held)
      if (nameOf(this.#proxies.for(host)) !== nameOf(before))
        refuse(new CallFailure('unreachable', 'the proxy settings changed while the call was made'));
    this.#pins.clear();
    for (const key of this.#kept.keys()) this.#retire(key);
  }

  close(): void {
    this.#pins.clear();
    for (const key of this.#kept.keys()) this.#retire(key);
  }

  #current(key: string, addresses: readonly string[]): Route | null {
    const route = this.#kept.get(key);
    if (route === undefined) return null;
    this.#kept.delete(key);
    if (route.addresses === spelled(addresses)) {
      this.#kept.set(key, route);
      return route;
    }
    retire(route);
    return null;
  }

  #open(
    key: string,
    url: EgressUrl,
    tls: TlsMaterial | null,
    addresses: readonly string[],
    proxy: Proxy | null,
  ): Route {
    const agents = openAgents({ tls: url.secure ? this.#context(tls) : null, addresses, proxy });
    const route: Route = { addresses: spelled(addresses), agents, calls: 0, retired: false };
    this.#kept.set(key, route);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= ROUTES_MAX) break;
      this.#retire(oldest);
    }
    return route;
  }

  /** Reading the public authorities takes about 10 ms, so it is done once. */
  #context(tls: TlsMaterial | null): SecureContext {
    if (tls !== null) return secureContext(tls);
    this.#publicTls ??= secureContext(null);
    return this.#publicTls;
  }

  #retire(key: string): void {
    const route = this.#kept.get(key);
    this.#kept.delete(key);
    if (route !== undefined) retire(route);
  }

  #release(route: Route): void {
    route.calls -= 1;
    if (route.retired && route.calls === 0) destroy(route);
  }
}

function retire(route: Route): void {
  route.retired = true;
  if (route.calls === 0) destroy(route);
}

function destroy({ agents }: Route): void {
  agents.kept.destroy();
  agents.fresh.destroy();
}

function nameOf(proxy: Proxy | null): string {
  return proxy === null ? '' : `${proxy.host}:${proxy.port}`;
}

/** The order in a DNS response has no meaning. */
function spelled(addresses: readonly string[]): string {
  return addresses.toSorted().join(' ');
}
