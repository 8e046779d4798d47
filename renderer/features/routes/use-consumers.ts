import { useMemo } from 'react';
import type { KeyRecord } from '#common/model/records.ts';
import type { RouteRecord } from '#common/model/route-record.ts';
import { useValidKeys } from '#api/routes-queries.ts';
import { usePermission } from '#api/session.ts';
import { useTraffic } from '#api/traffic-queries.ts';
import { keysThatOpen, lastCallsOf, routeKey, type LastCalls } from './route-view.ts';

const NO_CALLS: LastCalls = new Map();

export interface Consumers {
  /** Null: the user may not see keys. */
  keysOf: (route: RouteRecord) => KeyRecord[] | null;
  /** Undefined: no calls in the last 24 h, or unknown. */
  lastCallOf: (route: RouteRecord) => ReturnType<LastCalls['get']>;
  /** False: the gateway has not reported its callers. */
  callsKnown: boolean;
}

/** The keys that could call a route, and those that did. */
export function useConsumers(routes: readonly RouteRecord[]): Consumers {
  const maySee = usePermission('manage_keys');
  const projects = useMemo(() => [...new Set(routes.map(({ project }) => project))].toSorted(), [routes]);
  const keys = useValidKeys(projects, maySee);
  const traffic = useTraffic('8h').data;
  const calls = useMemo(() => (traffic === undefined ? NO_CALLS : lastCallsOf(traffic.routes)), [traffic]);
  return {
    keysOf: (route) => (maySee ? keysThatOpen(route, keys) : null),
    lastCallOf: (route) => calls.get(routeKey(route)),
    callsKnown: traffic !== undefined,
  };
}
