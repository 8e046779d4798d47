import type { StoppedRoute } from '#common/control/messages.ts';
import { ingressNodes } from '#common/model/ingress-routes.ts';
import type { ProjectStore } from '../contracts.ts';

/** The last approved routes of stopped pipelines. */
export function stoppedRoutes(projects: Pick<ProjectStore, 'stopped'>): StoppedRoute[] {
  return projects.stopped().flatMap(({ project, definition }) =>
    ingressNodes(definition).nodes.map(({ route: { method, urlPattern } }) => ({
      project,
      pipeline: definition.id,
      method,
      urlPattern,
    })),
  );
}
