import type { StoppedRoute } from '#common/control/messages.ts';
import { ingressNodes } from '#common/model/ingress-routes.ts';
import type { ProjectStore } from '../contracts.ts';

/** The routes of pipelines that are stopped, as they were approved last. */
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
