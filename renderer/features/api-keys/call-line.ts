import type { RouteRecord } from '#common/model/route-record.ts';
import type { Scope } from '#common/scopes.ts';

type Opened = Pick<RouteRecord, 'project' | 'answers' | 'authType' | 'requiredScopes' | 'method' | 'pattern'>;

/**
 * The route to call with a key of this project and these scopes: the requested one (`POST /orders`) if the key can call
 * it, otherwise the first running one. A public route would not test the key.
 */
export function firstOpened<Route extends Opened>(
  routes: readonly Route[],
  project: string,
  scopes: readonly Scope[],
  wanted?: string,
): Route | undefined {
  const opened = routes.filter(
    (route) =>
      route.project === project &&
      route.answers &&
      route.authType !== 'none' &&
      route.requiredScopes.every((scope) => scopes.includes(scope)),
  );
  return opened.find(({ method, pattern }) => `${method} ${pattern}` === wanted) ?? opened[0];
}

/** `name`: such as `POST /orders`. */
export function isRouteOf(
  routes: readonly Pick<RouteRecord, 'project' | 'method' | 'pattern'>[],
  project: string,
  name: string,
): boolean {
  return routes.some((route) => route.project === project && `${route.method} ${route.pattern}` === name);
}
