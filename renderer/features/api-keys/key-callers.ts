import type { AuditRow } from '#common/model/audit.ts';
import type { KeyHost, KeyRoute } from '#common/model/traffic.ts';

/** The callers of a key: address (empty if unknown), route if known, and last time. */
export interface KeyCaller {
  method: string | undefined;
  route: string | undefined;
  ip: string;
  at: string;
}

/**
 * The newest row of each route and address among the key's latest rows, and the routes and hosts that are missing
 * there: for a busy key those rows cover only moments, and a quiet host would be left out. The latest call first.
 */
export function callersOf(
  rows: readonly AuditRow[],
  hosts: readonly KeyHost[],
  routes: readonly KeyRoute[] = [],
): KeyCaller[] {
  const newest = new Map<string, KeyCaller>();
  for (const { type, method, route, ip = '', time } of rows) {
    const place = `${method ?? ''} ${route ?? ''} ${ip}`;
    if (route !== undefined && type !== 'admin' && !newest.has(place))
      newest.set(place, { method, route, ip, at: time });
  }
  const known = new Set([...newest.values()].map(({ ip }) => ip));
  const others = hosts
    .filter(({ ip }) => !known.has(ip))
    .map(({ ip, lastCallAt }): KeyCaller => ({ method: undefined, route: undefined, ip, at: lastCallAt }));
  // A route for any method is `*` here, and has the method of the call in a row.
  const inRows = new Set([...newest.values()].flatMap(({ method, route }) => [`${method} ${route}`, `* ${route}`]));
  const unseen = routes
    .filter(({ route }) => !inRows.has(route))
    .map(({ route, lastCallAt }): KeyCaller => ({ ...partsOf(route), ip: '', at: lastCallAt }));
  return [...newest.values(), ...unseen, ...others].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** `POST /orders` as method and pattern. */
export function partsOf(route: string): { method: string; route: string } {
  const space = route.indexOf(' ');
  return { method: route.slice(0, space), route: route.slice(space + 1) };
}
