import type { KeyRoute, KeyTraffic, KeyTrafficRange, Series } from '#common/model/traffic.ts';
import type { TrendPoint } from '#ui/trend/trend-points.ts';

/**
 * Whether the old key can be revoked, and which route and host use which key: derived from the traffic of both keys.
 */
export interface HostRow {
  ip: string;
  oldCalls: number;
  newCalls: number;
  lastOldCallAt: string | null;
  state: 'old' | 'both' | 'new';
}

/**
 * A route of either key. `old`: called only with the old key, within the waiting time. `both`: with the old key within
 * the waiting time, and with the new one. `refused`: the new key has only been refused. `untried`: the old key is no
 * longer used, and the new one has not called. `changed`: the old key is no longer used, and the new one is. `new`:
 * never called with the old key.
 */
export interface RouteRow {
  route: string;
  oldLastAt: string | null;
  newFirstAt: string | null;
  state: 'old' | 'both' | 'refused' | 'untried' | 'changed' | 'new';
}

export type Verdict =
  | { kind: 'unknown' }
  /** Hosts have sent the old key within the waiting time. */
  | { kind: 'used'; hosts: number; last: string; ip: string }
  /** No longer used, but no calls with the new key yet. */
  | { kind: 'untried' }
  /** No longer used, and the new key has not been used on some of the routes. */
  | { kind: 'partly'; seen: number; total: number }
  | { kind: 'free' };

/** How long the old key must be without calls, in minutes. */
export const WAITS = [15, 60, 480, 1440] as const;
export const WAIT_MINUTES = 60;

const MINUTE_MS = 60_000;

/**
 * Hosts that still use the old key first. Once the old key is revoked, a host that sends the new one has changed over.
 */
export function hostRows(old: KeyTraffic, fresh: KeyTraffic | undefined, isRevoked = false): HostRow[] {
  const ips = new Set([...old.hosts, ...(fresh?.hosts ?? [])].map(({ ip }) => ip));
  const rows = [...ips].map((ip): HostRow => {
    const sent = old.hosts.find((host) => host.ip === ip);
    const newCalls = fresh?.hosts.find((host) => host.ip === ip)?.calls ?? 0;
    const oldCalls = sent?.calls ?? 0;
    const state = oldCalls === 0 || (isRevoked && newCalls > 0) ? 'new' : newCalls === 0 ? 'old' : 'both';
    return { ip, oldCalls, newCalls, lastOldCallAt: sent?.lastCallAt ?? null, state };
  });
  const rank = { old: 0, both: 1, new: 2 };
  return rows.toSorted((a, b) => rank[a.state] - rank[b.state] || b.oldCalls + b.newCalls - a.oldCalls - a.newCalls);
}

const ROUTE_RANK = { old: 0, both: 1, refused: 2, untried: 3, changed: 4, new: 5 };

/** Routes that still use the old key first. */
export function routeRows(old: KeyTraffic, fresh: KeyTraffic, waitMinutes: number, now: Date): RouteRow[] {
  const since = now.getTime() - waitMinutes * MINUTE_MS;
  const names = new Set([...old.routes, ...fresh.routes].map(({ route }) => route));
  const rows = [...names].map((route): RouteRow => {
    const sent = old.routes.find((one) => one.route === route);
    const tried = fresh.routes.find((one) => one.route === route);
    return {
      route,
      oldLastAt: sent?.lastCallAt ?? null,
      newFirstAt: tried?.firstPassedAt ?? null,
      state: routeState(sent, tried, since),
    };
  });
  return rows.toSorted((a, b) => ROUTE_RANK[a.state] - ROUTE_RANK[b.state] || a.route.localeCompare(b.route));
}

function routeState(sent: KeyRoute | undefined, tried: KeyRoute | undefined, since: number): RouteRow['state'] {
  const isOldInUse = sent !== undefined && Date.parse(sent.lastCallAt) > since;
  if (tried !== undefined && tried.firstPassedAt === null) return 'refused';
  if (isOldInUse) return tried === undefined ? 'old' : 'both';
  if (tried === undefined) return 'untried';
  return sent === undefined ? 'new' : 'changed';
}

/** The routes that the old key has called: those that the new one has called successfully, and the others. */
export function seenWithNew(old: KeyTraffic, fresh: KeyTraffic): { seen: string[]; missing: string[] } {
  const passed = new Set(fresh.routes.filter(({ firstPassedAt }) => firstPassedAt !== null).map(({ route }) => route));
  const routes = old.routes.map(({ route }) => route);
  return { seen: routes.filter((route) => passed.has(route)), missing: routes.filter((route) => !passed.has(route)) };
}

export function verdictOf(
  old: KeyTraffic | undefined,
  fresh: KeyTraffic | undefined,
  lastUsedAt: string | null,
  waitMinutes: number,
  now: Date,
): Verdict {
  if (old === undefined || fresh === undefined) return { kind: 'unknown' };
  const since = now.getTime() - waitMinutes * MINUTE_MS;
  const last = [old.lastCall?.at ?? null, lastUsedAt]
    .filter((at) => at !== null)
    .toSorted()
    .at(-1);
  if (last !== undefined && Date.parse(last) > since) {
    const hosts = old.hosts.filter((host) => Date.parse(host.lastCallAt) > since).length;
    return { kind: 'used', hosts: Math.max(1, hosts), last, ip: old.lastCall?.ip ?? '' };
  }
  if (!hasPassed(fresh)) return { kind: 'untried' };
  const { seen, missing } = seenWithNew(old, fresh);
  return missing.length === 0
    ? { kind: 'free' }
    : { kind: 'partly', seen: seen.length, total: seen.length + missing.length };
}

/** Calls from before the routes of keys were recorded count as passed. */
function hasPassed({ routes, lastCall }: KeyTraffic): boolean {
  return routes.length === 0 ? lastCall !== null : routes.some(({ firstPassedAt }) => firstPassedAt !== null);
}

/** The chart begins before the creation of the successor, so that it shows the change. */
const BEFORE_MS = 15 * MINUTE_MS;
const RANGE_MS: readonly (readonly [KeyTrafficRange, number])[] = [
  ['2h', 120 * MINUTE_MS],
  ['8h', 480 * MINUTE_MS],
];

/** The finest range that reaches back to the beginning of the chart. */
export function rangeSince(createdAt: string, nowMs: number): KeyTrafficRange {
  const span = nowMs - Date.parse(createdAt) + BEFORE_MS;
  return RANGE_MS.find(([, ms]) => span <= ms)?.[0] ?? '7d';
}

/** The extent of the chart, and the creation of the successor if it is in it. */
export function chartExtent(
  { from, stepSeconds, values }: Series,
  createdAt: string,
): { from: number; to: number; markAt: number | null } {
  const first = Date.parse(from);
  const created = Date.parse(createdAt);
  const begins = Math.max(first, created - BEFORE_MS);
  return { from: begins, to: first + values.length * stepSeconds * 1000, markAt: created >= begins ? created : null };
}

/** The last step is not complete: its rate is extended until now. */
export function pointsOf({ from, stepSeconds, values }: Series, until: string): TrendPoint[] {
  const start = Date.parse(from);
  const points = values.map((value, index): TrendPoint => [start + index * stepSeconds * 1000, value]);
  const last = points.at(-1);
  if (last !== undefined && Date.parse(until) > last[0]) points.push([Date.parse(until), last[1]]);
  return points;
}
