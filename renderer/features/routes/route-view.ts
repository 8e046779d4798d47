import type { KeyRecord } from '#common/model/records.ts';
import type { RouteRecord } from '#common/model/route-record.ts';
import type { RouteTraffic } from '#common/model/traffic.ts';

/** The identifier of a route on this page and in its address. IDs contain no slash. */
export function routeKey({ project, pipeline, node }: { project: string; pipeline: string; node: string }): string {
  return `${project}/${pipeline}/${node}`;
}

export interface RouteFilter {
  /** Empty: every project. */
  project: string;
  find: string;
}

/** Routes that contain every word somewhere: in method, path, pipeline, project or scopes. */
export function chosenRoutes(routes: readonly RouteRecord[], { project, find }: RouteFilter): RouteRecord[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return routes.filter((route) => {
    if (project !== '' && route.project !== project) return false;
    const text = searchText(route);
    return words.every((word) => text.includes(word));
  });
}

function searchText({
  method,
  pattern,
  pipeline,
  pipelineName,
  project,
  requiredScopes,
  authType,
}: RouteRecord): string {
  const access = authType === 'none' ? 'public' : '';
  return [method, pattern, pipelineName, pipeline, project, access, ...requiredScopes].join('\n').toLowerCase();
}

/** Failed ones first, then by path. */
export function inOrder(routes: readonly RouteRecord[]): RouteRecord[] {
  return routes.toSorted(
    (a, b) =>
      Number(b.state === 'failed') - Number(a.state === 'failed') ||
      a.pattern.localeCompare(b.pattern) ||
      a.method.localeCompare(b.method) ||
      routeKey(a).localeCompare(routeKey(b)),
  );
}

export interface RouteSums {
  count: number;
  answering: number;
  /** Running public ones: anyone on the network can call them. */
  open: number;
  failed: number;
}

export function sumsOf(routes: readonly RouteRecord[]): RouteSums {
  const count = (wanted: (route: RouteRecord) => boolean) => routes.filter(wanted).length;
  return {
    count: routes.length,
    answering: count(({ answers }) => answers),
    open: count(({ answers, authType }) => answers && authType === 'none'),
    failed: count(({ state, draft }) => state === 'failed' && draft !== 'added'),
  };
}

/** The keys that can call the route: valid ones of its project with every required scope. */
export function keysThatOpen(route: RouteRecord, keys: readonly KeyRecord[]): KeyRecord[] {
  if (route.authType === 'none') return [];
  return keys
    .filter((key) => key.project === route.project && route.requiredScopes.every((scope) => key.scopes.includes(scope)))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

export type LastCalls = ReadonlyMap<string, NonNullable<RouteTraffic['lastCall']>>;

/** By route: the last caller within the last 24 h. */
export function lastCallsOf(routes: readonly RouteTraffic[]): LastCalls {
  return new Map(routes.flatMap((route) => (route.lastCall === null ? [] : [[routeKey(route), route.lastCall]])));
}
