import type { PipelineDefinition } from '#common/model/pipeline.ts';
import { ingressNodes } from '#common/model/route-record.ts';
import { routeSettings, type RouteSettings } from '#common/model/route-settings.ts';
import type { FailedStart } from '#common/control/messages.ts';
import type { PipelineStamp, ProjectStore } from '../contracts.ts';
import type { KnownRoute } from '../traffic/figures.ts';

type Read = Omit<KnownRoute, 'answers'>;

interface Kept {
  stamp: string;
  routes: readonly Read[];
}

/**
 * Every route of every pipeline, as `GET /routes` returns them: from the started revision, or from the newest one if
 * none was started. Definitions are cached per revision, because a page that shows all routes polls every few seconds.
 */
export function createStoredRoutes(projects: ProjectStore): (failed: readonly FailedStart[]) => KnownRoute[] {
  let kept = new Map<string, Kept>();
  return (failed) => {
    const down = new Set(failed.map(({ project, pipeline }) => `${project}/${pipeline}`));
    const next = new Map<string, Kept>();
    const routes: KnownRoute[] = [];
    for (const pipeline of projects.stamps()) {
      const id = `${pipeline.project}/${pipeline.id}`;
      const answers = pipeline.wantedRevision !== null && !down.has(id);
      const revision = pipeline.wantedRevision ?? pipeline.revision;
      const stamp = `${revision} ${pipeline.updatedAt}`;
      const known = kept.get(id);
      const entry = known?.stamp === stamp ? known : { stamp, routes: readRoutes(projects, pipeline, revision) };
      next.set(id, entry);
      for (const route of entry.routes) routes.push({ ...route, answers });
    }
    kept = next;
    return routes;
  };
}

function readRoutes(projects: ProjectStore, { project, id }: PipelineStamp, revision: number): Read[] {
  const definition = projects.revision(project, id, revision)?.definition;
  if (definition === undefined) return [];
  return ingressNodes(definition).flatMap((node) => {
    const settings = settingsOf(node);
    return settings === null ? [] : [routeOf(project, definition, node.id, settings)];
  });
}

/** Null for a draft that cannot be parsed yet. */
function settingsOf({ settings }: PipelineDefinition['nodes'][number]): RouteSettings | null {
  const read = routeSettings.safeParse(settings);
  return read.success ? read.data : null;
}

function routeOf(project: string, definition: PipelineDefinition, node: string, settings: RouteSettings): Read {
  const { method, urlPattern: pattern, authType, requiredScopes } = settings;
  const { id: pipeline, name: pipelineName } = definition;
  return { project, pipeline, pipelineName, node, method, pattern, authType, requiredScopes };
}
