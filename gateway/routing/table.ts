import { patternShape, parsePattern, type UrlPattern } from '#common/pattern.ts';
import type { PipelineStart, StoppedRoute as SentRoute } from '#common/control/messages.ts';
import { routeSettings } from '#common/model/route-settings.ts';
import { STOPPED_ROUTES_MAX } from '../http/limits.ts';
import type { LiveRoute, RunningPipeline } from './live-route.ts';
import { type Match, RouteTrie } from './trie.ts';

export type MissCause = 'no_route' | 'method_differs' | 'slash_differs' | 'pipeline_stopped';

/** A route as its callers see it. */
export interface CallableRoute {
  readonly method: string;
  readonly pattern: UrlPattern;
}

export interface StoppedRoute extends CallableRoute {
  readonly project: string;
  readonly pipeline: string;
}

export type NearRoute = Pick<StoppedRoute, 'project' | 'pipeline' | 'pattern'>;

/** Why no route matches, and which one was probably meant. */
export interface Miss {
  readonly cause: MissCause;
  readonly near: NearRoute | null;
  /** Methods that are accepted for the path, if only the method differs. */
  readonly accepted: readonly string[];
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', '*'];

export interface Clash {
  readonly route: string;
  readonly project: string;
  readonly pipeline: string;
}

/**
 * The running pipelines, and which route answers a request (docs/spec/processes.md#changes). Each change is complete
 * within one call, so no request sees half of it. Its cost depends on the routes of its own pipeline, not on the number
 * of others.
 */
export class RoutingTable {
  readonly #pipelines = new Map<string, RunningPipeline>();
  readonly #routes = new Map<string, LiveRoute>();
  readonly #shapes = new Map<string, LiveRoute>();
  readonly #trie = new RouteTrie<LiveRoute>();
  /** By pipeline. The journal distinguishes stopped routes from those that never existed. */
  readonly #stopped = new Map<string, readonly StoppedRoute[]>();
  /** Created on the first miss that needs it. */
  #stoppedTrie: RouteTrie<StoppedRoute> | null = null;

  get pipelines(): ReadonlyMap<string, RunningPipeline> {
    return this.#pipelines;
  }

  get routes(): ReadonlyMap<string, LiveRoute> {
    return this.#routes;
  }

  /** Adds a pipeline, in place of its previous revision. */
  put(id: string, pipeline: RunningPipeline): void {
    this.#take(id);
    this.#pipelines.set(id, pipeline);
    for (const route of pipeline.routes) {
      this.#routes.set(route.id, route);
      this.#shapes.set(route.shape, route);
      this.#trie.add(route);
    }
    this.#stopped.delete(id);
    this.#stoppedTrie = null;
  }

  /** Routes of pipelines that were stopped before this gateway was started, or that failed to start in it. */
  addStopped(routes: readonly StoppedRoute[]): void {
    for (const route of routes) {
      const id = `${route.project}/${route.pipeline}`;
      const others = this.#stopped.get(id) ?? [];
      if (others.length > 0 || this.#stopped.size < STOPPED_ROUTES_MAX) this.#stopped.set(id, [...others, route]);
    }
    this.#stoppedTrie = null;
  }

  /** Removes a pipeline. `stopped`: its former routes, to explain why no route matches. */
  remove(id: string, stopped: readonly StoppedRoute[] = []): void {
    this.#take(id);
    if (stopped.length > 0 && this.#stopped.size < STOPPED_ROUTES_MAX) this.#stopped.set(id, stopped);
    this.#stoppedTrie = null;
  }

  find(method: string, path: string): Match<LiveRoute> | null {
    return this.#trie.find(method, path);
  }

  /** Why no route matches; for the journal only. */
  missOf(method: string, path: string): Miss {
    this.#stoppedTrie ??= new RouteTrie([...this.#stopped.values()].flat());
    const stopped = this.#stoppedTrie.find(method, path);
    if (stopped) return { cause: 'pipeline_stopped', near: stopped.route, accepted: [] };
    const others = METHODS.flatMap((other) => this.#trie.find(other, path)?.route ?? []);
    const accepted = [...new Set(others.map((route) => route.method))];
    if (others[0]) return { cause: 'method_differs', near: others[0], accepted };
    const toggled = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    const slashed = toggled === '' ? null : this.#trie.find(method, toggled);
    return { cause: slashed ? 'slash_differs' : 'no_route', near: slashed?.route ?? null, accepted: [] };
  }

  /** A route of another running pipeline that has the same method and shape as a route of `start`. */
  clash(start: Pick<PipelineStart, 'project' | 'definition'>): Clash | null {
    const own = this.#pipelines.get(`${start.project}/${start.definition.id}`);
    for (const { method, pattern } of routesOf(start)) {
      const route = this.#shapes.get(`${method} ${patternShape(pattern)}`);
      if (route === undefined || route.owner === own) continue;
      return { route: `${route.method} ${route.pattern.source}`, project: route.project, pipeline: route.pipeline };
    }
    return null;
  }

  #take(id: string): void {
    const before = this.#pipelines.get(id);
    if (before === undefined) return;
    this.#pipelines.delete(id);
    for (const route of before.routes) {
      this.#routes.delete(route.id);
      if (this.#shapes.get(route.shape) === route) this.#shapes.delete(route.shape);
      this.#trie.remove(route);
    }
  }
}

/** The routes of a pipeline that is not running. */
export function stoppedRoutesOf(start: Pick<PipelineStart, 'project' | 'definition'>): StoppedRoute[] {
  const { project, definition } = start;
  return routesOf(start).map((route) => ({ ...route, project, pipeline: definition.id }));
}

/** A stopped route as sent by the host; none if its pattern cannot be parsed. */
export function readStoppedRoute({ urlPattern, ...route }: SentRoute): StoppedRoute[] {
  const parsed = parsePattern(urlPattern);
  return parsed.ok ? [{ ...route, pattern: parsed.pattern }] : [];
}

/** Method and pattern of every readable ingress node. */
export function routesOf(start: Pick<PipelineStart, 'definition'>): CallableRoute[] {
  return start.definition.nodes.flatMap((node) => {
    if (node.kind !== 'rest-api') return [];
    const settings = routeSettings.safeParse(node.settings);
    if (!settings.success) return [];
    const parsed = parsePattern(settings.data.urlPattern);
    return parsed.ok ? [{ method: settings.data.method, pattern: parsed.pattern }] : [];
  });
}
