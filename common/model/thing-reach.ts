import type { Scope } from '../scopes.ts';
import { activePart } from './active-part.ts';
import {
  BY_SCOPE,
  isPublic,
  NODES,
  opens,
  reachable,
  Rights,
  scriptScopes,
  targetOf,
  type UseKind,
} from './key-reach.ts';
import type { PipelineDefinition, PipelineNode } from './pipeline.ts';
import type { KeyRecord } from './records.ts';
import { ingressNodes, readRouteSettings, type RoutedPipeline } from './route-record.ts';
import { TAG_PATTERN, tagMatches } from './tag-pattern.ts';

/**
 * The opposite of `keyReach`: which keys and pipelines can use one thing, such as write a tag (`GET …/reach`). Derived
 * from the running definitions, the grants and the limits; nothing is run.
 */
export interface ThingReach {
  /** Valid keys, with the routes through which they reach the thing. */
  keys: ReachingKey[];
  /** Pipelines that reach it without a key: by a trigger or on a public route. */
  pipelines: ReachingPipeline[];
}

interface ReachingKey {
  id: string;
  name: string;
  routes: ReachingRoute[];
}

interface ReachingRoute {
  pipeline: string;
  method: string;
  pattern: string;
  /** False: the call or a script chooses the name, within the limits of the key. */
  named: boolean;
}

interface ReachingPipeline {
  id: string;
  name: string;
  /** The kind of the node that starts the run; `rest-api` is a public route. */
  start: string;
  named: boolean;
}

interface Thing {
  what: UseKind;
  name: string;
}

const REACHING_MAX = 1_000;

/** `keys` and `pipelines` are those of the project of the thing. */
export function thingReach(thing: Thing, keys: readonly KeyRecord[], pipelines: readonly RoutedPipeline[]): ThingReach {
  const started = pipelines.flatMap(({ started: definition }) => (definition === null ? [] : [definition]));
  const ways = started.flatMap((definition) => waysTo(thing, definition));
  const valid = keys.filter(({ revokedAt, honey }) => revokedAt === null && !honey);
  const reaching = valid.map((key) => ({ id: key.id, name: key.name, routes: routesFor(thing, key, ways) }));
  return {
    keys: reaching.filter(({ routes }) => routes.length > 0).slice(0, REACHING_MAX),
    pipelines: ways
      .filter(
        ({ isKeyed, definition: { grants, limits } }) => !isKeyed && reaches(thing, new Rights(grants, limits), grants),
      )
      .map(({ definition: { id, name }, start, named }) => ({ id, name, start: start.kind, named }))
      .slice(0, REACHING_MAX),
  };
}

/** A start of a pipeline with a node behind it that can use the thing, if the run has the right to. */
interface Way {
  readonly definition: PipelineDefinition;
  readonly start: PipelineNode;
  readonly isKeyed: boolean;
  readonly named: boolean;
}

function waysTo(thing: Thing, definition: PipelineDefinition): Way[] {
  const active = activePart(definition);
  const behind = new Set(active.wires.map(({ to }) => to));
  const triggers = active.nodes.filter(({ id, kind }) => !behind.has(id) && kind !== 'rest-api');
  return [...ingressNodes(active), ...triggers].flatMap((start) => {
    const uses = reachable(active, [start]).map((node) => useOf(thing, node));
    if (!uses.includes('named') && !uses.includes('any')) return [];
    const isRoute = start.kind === 'rest-api';
    return [{ definition, start, isKeyed: isRoute && !isPublic(start.settings), named: uses.includes('named') }];
  });
}

/** `any`: the node can use each thing of this type. */
function useOf({ what, name }: Thing, node: PipelineNode): 'named' | 'any' | null {
  // A library script has the rights of the node that runs it.
  if (node.kind === 'script' && what !== 'runScripts') return 'any';
  if (what === 'callTargets') return node.kind === 'rest-api' && targetOf(node.settings) === name ? 'named' : null;
  const use = NODES[node.kind];
  const texts = use?.what === what ? use.names(node.settings).filter((text) => typeof text === 'string') : [];
  if (texts.some((text) => isNamed(text, name))) return 'named';
  const isChosen = texts.some((text) => text.includes('{{'));
  return isChosen || scriptScopes(node).some((scope) => BY_SCOPE[scope].includes(what)) ? 'any' : null;
}

function isNamed(text: string, name: string): boolean {
  return text === name || (text.includes('*') && TAG_PATTERN.test(text) && tagMatches(text, name));
}

function routesFor(thing: Thing, key: KeyRecord, ways: readonly Way[]): ReachingRoute[] {
  return ways.flatMap(({ definition, start, isKeyed, named }) => {
    const { runAs, grants, limits, id } = definition;
    const isOwn = runAs === 'pipeline';
    const scopes = isOwn ? grants : key.scopes;
    if (!isKeyed || !opens(start.settings, key.scopes)) return [];
    if (!reaches(thing, new Rights(scopes, key.limits, isOwn ? limits : undefined), scopes)) return [];
    const { method, urlPattern } = readRouteSettings(start.settings).settings;
    return [{ pipeline: id, method, pattern: urlPattern, named }];
  });
}

/** Outgoing calls need no scope. */
function reaches({ what, name }: Thing, rights: Rights, scopes: readonly Scope[]): boolean {
  if (what === 'callTargets') return rights.reachTarget(name);
  const scope = scopes.find((one) => BY_SCOPE[one].includes(what));
  return scope !== undefined && rights.reach({ what, scope }, name);
}
