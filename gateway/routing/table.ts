import { patternShape, parsePattern, type UrlPattern } from '#common/pattern.ts';
import type { PipelineStart } from '#common/control/messages.ts';
import { routeSettings } from '#common/model/route-settings.ts';
import type { LiveRoute, RunningPipeline } from './live-route.ts';
import { type Match, RouteTrie } from './trie.ts';

/** The live table: a snapshot that is swapped whole (behaviour 1). */
export interface RoutingTable {
  readonly pipelines: ReadonlyMap<string, RunningPipeline>;
  readonly routes: ReadonlyMap<string, LiveRoute>;
  find(method: string, path: string): Match<LiveRoute> | null;
  /** Why nothing answers: told to the journal only. */
  causeOfMiss(method: string, path: string): MissCause;
}

export type MissCause = 'no_route' | 'method_differs' | 'slash_differs' | 'pipeline_stopped';

export interface StoppedRoute {
  readonly method: string;
  readonly pattern: UrlPattern;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', '*'];

export function buildTable(
  pipelines: ReadonlyMap<string, RunningPipeline>,
  stopped: Iterable<StoppedRoute>,
): RoutingTable {
  const routes = new Map<string, LiveRoute>();
  for (const pipeline of pipelines.values()) for (const route of pipeline.routes) routes.set(route.id, route);
  const trie = new RouteTrie(routes.values());
  let idle: RouteTrie<StoppedRoute> | null = null;
  return Object.freeze({
    pipelines,
    routes,
    find: (method: string, path: string) => trie.find(method, path),
    causeOfMiss(method: string, path: string): MissCause {
      if (METHODS.some((other) => trie.find(other, path))) return 'method_differs';
      idle ??= new RouteTrie(stopped);
      if (idle.find(method, path)) return 'pipeline_stopped';
      const toggled = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
      return toggled !== '' && trie.find(method, toggled) ? 'slash_differs' : 'no_route';
    },
  });
}

/** The running pipeline, other than `own`, that has a route of the same method and shape as one of `start`'s. */
export function findClash(
  pipelines: ReadonlyMap<string, RunningPipeline>,
  start: PipelineStart,
): { route: string; project: string; pipeline: string } | null {
  const shapes = new Set(routesOf(start).map((route) => `${route.method} ${patternShape(route.pattern)}`));
  const own = `${start.project}/${start.definition.id}`;
  for (const [id, pipeline] of pipelines) {
    const route = id === own ? undefined : pipeline.routes.find((each) => shapes.has(each.shape));
    if (route)
      return { route: `${route.method} ${route.pattern.source}`, project: route.project, pipeline: route.pipeline };
  }
  return null;
}

/** Method and pattern of every ingress node that can be read. */
export function routesOf(start: Pick<PipelineStart, 'definition'>): StoppedRoute[] {
  return start.definition.nodes.flatMap((node) => {
    if (node.kind !== 'rest-api') return [];
    const settings = routeSettings.safeParse(node.settings);
    if (!settings.success) return [];
    const parsed = parsePattern(settings.data.urlPattern);
    return parsed.ok ? [{ method: settings.data.method, pattern: parsed.pattern }] : [];
  });
}
