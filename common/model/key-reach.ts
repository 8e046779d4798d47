import { isScope, type Scope } from '../scopes.ts';
import { LimitMatcher } from '../limits/limit-matcher.ts';
import { activePart } from './active-part.ts';
import { targetThing } from '../capabilities/target-thing.ts';
import { type KeyLimits, patternsOf, type ThingList } from './key-limits.ts';
import type { PipelineDefinition, PipelineNode } from './pipeline.ts';
import { ingressNodes, pipelineRoutes, readRouteSettings, type RoutedPipeline } from './route-record.ts';
import { TAG_PATTERN, tagMatches } from './tag-pattern.ts';

/**
 * The effects of a key (`GET …/keys/:key/reach`): the routes that it can call, and the use of its scopes by the
 * pipelines behind them. Derived from the definitions, like `check`; nothing is run. A name that is chosen by the call
 * (a template) or by a script is shown as such, because it can be any of its type.
 */
export interface KeyReach {
  routes: ReachedRoute[];
  uses: KeyUse[];
}

export interface ReachedRoute {
  pipeline: string;
  pipelineName: string;
  method: string;
  pattern: string;
  /** False: its pipeline is not running. */
  answers: boolean;
  /** True: no key is required. */
  public: boolean;
  /** Scopes that the route requires and the key lacks; empty: the key can call it. */
  missing: Scope[];
  /** Source addresses that may call; null: any. */
  allowedIps: string[] | null;
}

/** By type and access, such as the tags that it can write. */
export interface KeyUse {
  what: UseKind;
  /**
   * By name, without duplicates: tag paths, IDs of queries, connections and scripts, paths of files, addresses of
   * targets.
   */
  names: string[];
  /** Pipelines in which the caller chooses the name, or whose scripts can use any. */
  any: string[];
}

export const USE_KINDS = [
  'readTags',
  'writeTags',
  'readHistory',
  'runQueries',
  'runSql',
  'readVariables',
  'writeVariables',
  'readFiles',
  'writeFiles',
  'runScripts',
  'sendMessages',
  'callTargets',
] as const;
export type UseKind = (typeof USE_KINDS)[number];

const NAMES_MAX = 1000;

/**
 * Maps each node kind to its type of access and to the setting with the name. Every kind except calls to targets
 * requires its scope.
 */
export const NODES: Record<
  string,
  { what: UseKind; scope: Scope; names: (settings: PipelineNode['settings']) => unknown[] }
> = {
  'tag-read': { what: 'readTags', scope: 'tag:read', names: ({ tags }) => list(tags) },
  'tag-write': {
    what: 'writeTags',
    scope: 'tag:write',
    names: ({ writes }) => list(writes).map((one) => field(one, 'tag')),
  },
  'history-read': { what: 'readHistory', scope: 'hist:read', names: ({ tags }) => list(tags) },
  'named-query': { what: 'runQueries', scope: 'db:read', names: ({ query }) => [query] },
  sql: { what: 'runSql', scope: 'db:write', names: ({ connection }) => [connection] },
  transaction: { what: 'runSql', scope: 'db:write', names: ({ connection }) => [connection] },
  'stored-procedure': { what: 'runSql', scope: 'db:write', names: ({ connection }) => [connection] },
  'variable-read': { what: 'readVariables', scope: 'vars:read', names: ({ name }) => [name] },
  'variable-write': { what: 'writeVariables', scope: 'vars:write', names: ({ name }) => [name] },
  'file-read': { what: 'readFiles', scope: 'file:read', names: ({ path }) => [path] },
  'file-write': { what: 'writeFiles', scope: 'file:write', names: ({ path }) => [path] },
  script: { what: 'runScripts', scope: 'script:execute', names: ({ script }) => [script] },
  'message-out': { what: 'sendMessages', scope: 'script:execute', names: ({ channel }) => [channel] },
};

/** Uses of a scope that a script can make. */
export const BY_SCOPE: Record<Scope, UseKind[]> = {
  'tag:read': ['readTags'],
  'tag:write': ['writeTags'],
  'db:read': ['runQueries'],
  'db:write': ['runSql'],
  'hist:read': ['readHistory'],
  'vars:read': ['readVariables'],
  'vars:write': ['writeVariables'],
  'file:read': ['readFiles'],
  'file:write': ['writeFiles'],
  'script:execute': ['runScripts', 'sendMessages'],
};

/** `pipelines` and `tagPaths` are those of the key's project. Names that the limits of the key refuse are left out. */
export function keyReach(
  { scopes, limits }: { scopes: readonly Scope[]; limits: KeyLimits },
  pipelines: readonly RoutedPipeline[],
  tagPaths: readonly string[],
): KeyReach {
  const uses = new Uses(tagPaths);
  for (const { started } of pipelines) if (started !== null) uses.addPipeline(started, scopes, limits);
  return { routes: pipelines.flatMap((pipeline) => routesOf(pipeline, scopes)), uses: uses.list() };
}

function routesOf(pipeline: RoutedPipeline, scopes: readonly Scope[]): ReachedRoute[] {
  return pipelineRoutes(pipeline)
    .filter(({ draft }) => draft !== 'added' || pipeline.started === null)
    .map(({ pipeline: id, pipelineName, method, pattern, answers, authType, requiredScopes, allowedIps }) => ({
      pipeline: id,
      pipelineName,
      method,
      pattern,
      answers,
      public: authType === 'none',
      missing: authType === 'none' ? [] : requiredScopes.filter((scope) => !scopes.includes(scope)),
      allowedIps,
    }));
}

/** Scopes within the limits of a key. */
export class Rights {
  readonly #scopes: readonly Scope[];
  /** All of them apply. */
  readonly #limits: readonly KeyLimits[];
  readonly #matchers = new Map<ThingList, readonly LimitMatcher[]>();

  constructor(scopes: readonly Scope[], ...limits: (KeyLimits | undefined)[]) {
    this.#scopes = scopes;
    this.#limits = limits.filter((one) => one !== undefined);
  }

  reachAny(scope: Scope): boolean {
    return this.#scopes.includes(scope) && this.#limits.every((limits) => limits[scope]?.length !== 0);
  }

  /** `origin`: of an outgoing call, which needs no scope. */
  reachTarget(origin: string): boolean {
    return !URL.canParse(origin) || this.#covers('targets', targetThing(new URL(origin)));
  }

  /** `name`: from the settings of a node; only a name without a template can be compared with the limits. */
  reach({ what, scope }: { what: UseKind; scope: Scope }, name: unknown): boolean {
    if (!this.reachAny(scope)) return false;
    if (typeof name !== 'string' || name.includes('{{')) return true;
    return this.#covers(scope, `${THING_PREFIX[what] ?? ''}${name}`);
  }

  #covers(list: ThingList, thing: string): boolean {
    const known = this.#matchers.get(list);
    const matchers = known ?? this.#limits.flatMap((limits) => matcherOf(list, limits[list]));
    this.#matchers.set(list, matchers);
    return matchers.every((matcher) => matcher.covers(thing));
  }
}

function matcherOf(list: ThingList, entries: readonly string[] | undefined): LimitMatcher[] {
  if (entries === undefined) return [];
  const patterns = patternsOf(list, entries);
  // Whether a node only changes one table of a connection is decided by its SQL, when it runs.
  const connections = list === 'db:write' ? entries.map((entry) => entry.replace(/\/.*$/, '')) : [];
  return [new LimitMatcher([...patterns, ...connections])];
}

/** In the entries of a limit, before the name (docs/spec/keys.md#limits). */
const THING_PREFIX: Partial<Record<UseKind, string>> = { runScripts: 'script/', sendMessages: 'channel/' };

class Uses {
  readonly #tagPaths: readonly string[];
  readonly #names = new Map<UseKind, Set<string>>();
  readonly #any = new Map<UseKind, Set<string>>();

  constructor(tagPaths: readonly string[]) {
    this.#tagPaths = tagPaths;
  }

  /** Adds the uses that a caller with these scopes can cause in the pipeline, through the routes that it can call. */
  addPipeline(definition: PipelineDefinition, scopes: readonly Scope[], limits: KeyLimits): void {
    const active = activePart(definition);
    const { runAs, grants, limits: own } = definition;
    const opened = ingressNodes(active).filter(({ settings }) => opens(settings, scopes));
    const keyed = opened.filter(({ settings }) => !isPublic(settings));
    for (const node of reachable(active, keyed))
      this.#addNode(
        node,
        definition,
        runAs === 'pipeline' ? new Rights(grants, limits, own) : new Rights(scopes, limits),
      );
    // On a public route, keys are ignored (docs/spec/capabilities.md#rights-of-a-run).
    const open = opened.filter(({ settings }) => isPublic(settings));
    for (const node of reachable(active, open)) this.#addNode(node, definition, new Rights(grants, own));
  }

  #addNode(node: PipelineNode, definition: PipelineDefinition, rights: Rights): void {
    const use = NODES[node.kind];
    if (use !== undefined)
      for (const name of use.names(node.settings))
        if (rights.reach(use, name)) this.#addName(use.what, name, definition.name);
    const target = node.kind === 'rest-api' ? targetOf(node.settings) : null;
    if (target !== null && rights.reachTarget(target)) this.#addName('callTargets', target, definition.name);
    for (const scope of scriptScopes(node))
      if (rights.reachAny(scope)) for (const what of BY_SCOPE[scope]) add(this.#any, what, definition.name);
  }

  #addName(what: UseKind, name: unknown, pipeline: string): void {
    if (typeof name !== 'string') return;
    if (name.includes('{{')) add(this.#any, what, pipeline);
    else for (const one of this.#expanded(what, name)) add(this.#names, what, one);
  }

  /** A tag pattern is shown as the tags that it currently matches. */
  #expanded(what: UseKind, name: string): string[] {
    const isTag = what === 'readTags' || what === 'writeTags' || what === 'readHistory';
    if (!isTag || !name.includes('*') || !TAG_PATTERN.test(name)) return [name];
    return this.#tagPaths.filter((path) => tagMatches(name, path));
  }

  list(): KeyUse[] {
    return USE_KINDS.flatMap((what) => {
      const names = [...(this.#names.get(what) ?? [])].toSorted().slice(0, NAMES_MAX);
      const any = [...(this.#any.get(what) ?? [])].toSorted();
      return names.length + any.length === 0 ? [] : [{ what, names, any }];
    });
  }
}

function add(sets: Map<UseKind, Set<string>>, what: UseKind, name: string): void {
  const set = sets.get(what);
  if (set === undefined) sets.set(what, new Set([name]));
  else if (set.size < NAMES_MAX) set.add(name);
}

export function opens(given: PipelineNode['settings'], scopes: readonly Scope[]): boolean {
  const { authType, requiredScopes } = readRouteSettings(given).settings;
  return authType === 'none' || requiredScopes.every((scope) => scopes.includes(scope));
}

export function isPublic(given: PipelineNode['settings']): boolean {
  return readRouteSettings(given).settings.authType === 'none';
}

/** The nodes after these; a start node is included only if a wire leads back to it. */
export function reachable({ nodes, wires }: PipelineDefinition, from: readonly PipelineNode[]): PipelineNode[] {
  const behind = new Map(nodes.map(({ id }) => [id, wires.filter((wire) => wire.from === id).map(({ to }) => to)]));
  const seen = new Set<string>();
  const open = from.flatMap(({ id }) => behind.get(id) ?? []);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(behind.get(id) ?? []));
  }
  return nodes.filter(({ id }) => seen.has(id));
}

/** The scopes that the code of a node has. */
export function scriptScopes({ settings }: PipelineNode): Scope[] {
  const { scopes } = settings;
  const names = typeof scopes === 'string' ? scopes.split(',') : list(scopes);
  return names.map((name) => String(name).trim()).filter(isScope);
}

export function targetOf({ mode, url }: PipelineNode['settings']): string | null {
  if (mode !== 'egress' || typeof url !== 'string') return null;
  return URL.canParse(url) ? new URL(url).origin : null;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
}
