import type { KeyRouteDelta } from '#common/control/traffic.ts';
import type { KeyRoute } from '#common/model/traffic.ts';

/** Routes per key; the one that was called longest ago is dropped first. */
export const ROUTES_PER_KEY_MAX = 64;
/** Routes of all keys together; further ones are not recorded. */
export const KEY_ROUTES_MAX = 100_000;
/** The longest duration of a rotation. */
export const KEY_ROUTES_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** When a key called a route; a call has passed if it was not refused. Milliseconds since 1970. */
export interface KeyRouteTimes {
  firstAt: number;
  lastAt: number;
  firstPassedAt: number | null;
  lastPassedAt: number | null;
}

export interface StoredKeyRoute extends KeyRouteTimes {
  key: string;
  route: string;
}

/** Which routes each key has called, first and last: a rotation compares two keys by them. */
export class KeyRoutes {
  readonly #keys = new Map<string, Map<string, KeyRouteTimes>>();
  /** Changed since they were last written, as `key route`. */
  #pending = new Map<string, StoredKeyRoute>();
  #size = 0;

  load(stored: readonly StoredKeyRoute[]): void {
    for (const { key, route, ...times } of stored) this.#put(key, route, { ...times });
  }

  take(key: string, deltas: readonly KeyRouteDelta[]): void {
    for (const { route, calls, refused, at } of deltas) {
      const passedAt = calls > refused ? at : null;
      const known = this.#keys.get(key)?.get(route);
      const times = {
        firstAt: known?.firstAt ?? at,
        lastAt: Math.max(known?.lastAt ?? at, at),
        firstPassedAt: known?.firstPassedAt ?? passedAt,
        lastPassedAt: passedAt ?? known?.lastPassedAt ?? null,
      };
      if (this.#put(key, route, times)) this.#pending.set(`${key} ${route}`, { key, route, ...times });
    }
  }

  /** The route that was called last comes first. */
  of(key: string): KeyRoute[] {
    const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
    return [...(this.#keys.get(key) ?? [])]
      .toSorted(([, a], [, b]) => b.lastAt - a.lastAt)
      .map(([route, { firstAt, lastAt, firstPassedAt, lastPassedAt }]) => ({
        route,
        firstCallAt: new Date(firstAt).toISOString(),
        lastCallAt: new Date(lastAt).toISOString(),
        firstPassedAt: iso(firstPassedAt),
        lastPassedAt: iso(lastPassedAt),
      }));
  }

  takePending(): StoredKeyRoute[] {
    const pending = [...this.#pending.values()];
    this.#pending = new Map();
    return pending;
  }

  prune(nowMs: number): void {
    for (const [key, routes] of this.#keys) {
      for (const [route, { lastAt }] of routes) if (lastAt <= nowMs - KEY_ROUTES_KEPT_MS) this.#drop(routes, route);
      if (routes.size === 0) this.#keys.delete(key);
    }
  }

  /** The newest is last in its map, so the first one is dropped. */
  #put(key: string, route: string, times: KeyRouteTimes): boolean {
    const routes = this.#keys.get(key) ?? new Map<string, KeyRouteTimes>();
    if (routes.has(route)) this.#drop(routes, route);
    else if (this.#size >= KEY_ROUTES_MAX) return false;
    this.#keys.set(key, routes);
    routes.set(route, times);
    this.#size += 1;
    const [oldest] = routes.keys();
    if (routes.size > ROUTES_PER_KEY_MAX && oldest !== undefined) this.#drop(routes, oldest);
    return true;
  }

  #drop(routes: Map<string, KeyRouteTimes>, route: string): void {
    if (routes.delete(route)) this.#size -= 1;
  }
}
