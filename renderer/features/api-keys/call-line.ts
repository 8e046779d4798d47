import type { RouteRecord } from '#common/model/route-record.ts';
import type { Scope } from '#common/scopes.ts';

type Opened = Pick<RouteRecord, 'project' | 'answers' | 'authType' | 'requiredScopes'>;

/** The first route that answers and that a key of this project with these scopes opens; a public one shows nothing of it. */
export function firstOpened<Route extends Opened>(
  routes: readonly Route[],
  project: string,
  scopes: readonly Scope[],
): Route | undefined {
  return routes.find(
    (route) =>
      route.project === project &&
      route.answers &&
      route.authType !== 'none' &&
      route.requiredScopes.every((scope) => scopes.includes(scope)),
  );
}
