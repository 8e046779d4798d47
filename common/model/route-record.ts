import type { Scope } from '../scopes.ts';
import { activePart } from './active-part.ts';
import type { PipelineDefinition, PipelineNode, PipelineState } from './pipeline.ts';
import { type RouteMethod, routeSettings, type RouteSettings } from './route-settings.ts';

/**
 * A published route as the admin API lists it (`GET /routes`), from the started revision, or from the newest one if
 * none was started. Sizes are in bytes, durations in seconds, rates in requests per second.
 */
export interface RouteRecord {
  project: string;
  pipeline: string;
  pipelineName: string;
  node: string;
  method: RouteMethod;
  pattern: string;
  state: PipelineState;
  /** False: its pipeline does not run, or does not have it yet; calls are refused (`STOPPED_CODE`). */
  answers: boolean;
  /** The effect of starting the newest revision. */
  draft: 'same' | 'changed' | 'added' | 'removed';
  authType: 'api_key' | 'none';
  requiredScopes: Scope[];
  /** Null = any. */
  allowedIps: string[] | null;
  /** 0 = off. */
  rateLimit: number;
  burstLimit: number;
  maxPayloadSize: number;
  corsEnabled: boolean;
  allowedOrigins: string[];
  headerWhitelist: string[];
  timeout: number;
  /** Settings that are not valid; in their places stand the defaults, and the route cannot be started like this. */
  unreadable: string[];
}

export interface RouteList {
  /** Where callers reach the gateway: scheme, host and port. */
  address: string;
  items: RouteRecord[];
  next: null;
}

/** One route with what a caller sends: the schema that the body must fit, and a body that does. */
export interface RouteDetail {
  route: RouteRecord;
  address: string;
  /** Null: the pipeline checks no body against a schema before it changes it. */
  bodySchema: unknown;
  /** Null: none is known. */
  sampleBody: unknown;
  /** Names in the query that the pipeline reads. */
  queryNames: string[];
}

/** A pipeline as routes are read from it. */
export interface RoutedPipeline {
  project: string;
  newest: PipelineDefinition;
  /** The revision that was started, whether it came up or not; null = stopped. */
  started: PipelineDefinition | null;
  state: PipelineState;
}

export function pipelineRoutes(pipeline: RoutedPipeline): RouteRecord[] {
  const { newest, started } = pipeline;
  const drawn = ingressNodes(newest);
  if (started === null) return drawn.map((node) => record(pipeline, newest, node, 'same'));
  const own = ingressNodes(started);
  const later = new Map(drawn.map((node) => [node.id, node]));
  const before = new Set(own.map(({ id }) => id));
  return [
    ...own.map((node) => record(pipeline, started, node, fate(node, later.get(node.id)))),
    ...drawn.filter(({ id }) => !before.has(id)).map((node) => record(pipeline, newest, node, 'added')),
  ];
}

/** The nodes that publish a route: those of kind REST API that are not in egress mode and not switched off. */
export function ingressNodes(definition: PipelineDefinition): PipelineNode[] {
  return activePart(definition).nodes.filter((node) => node.kind === 'rest-api' && node.settings['mode'] !== 'egress');
}

function fate(node: PipelineNode, later: PipelineNode | undefined): RouteRecord['draft'] {
  if (later === undefined) return 'removed';
  return settingsText(node) === settingsText(later) ? 'same' : 'changed';
}

function settingsText(node: PipelineNode): string {
  return JSON.stringify(readRouteSettings(node.settings));
}

function record(
  { project, state }: RoutedPipeline,
  { id, name }: PipelineDefinition,
  node: PipelineNode,
  draft: RouteRecord['draft'],
): RouteRecord {
  const { settings, unreadable } = readRouteSettings(node.settings);
  const { mode: _, urlPattern, description: _text, queryParameters: _names, replies: _replies, ...controls } = settings;
  const answers = state === 'running' && draft !== 'added';
  const names = { project, pipeline: id, pipelineName: name, node: node.id };
  return { ...names, pattern: urlPattern, state, answers, draft, ...controls, unreadable };
}

/** The readable settings, with defaults in place of unreadable ones: a draft is listed however unfinished it is. */
export function readRouteSettings(given: PipelineNode['settings']): { settings: RouteSettings; unreadable: string[] } {
  const asked = { ...given, mode: 'ingress' };
  const result = routeSettings.safeParse(asked);
  if (result.success) return { settings: result.data, unreadable: [] };
  const shape: Record<string, { safeParse(value: unknown): { success: boolean } }> = routeSettings.shape;
  const readable = Object.entries(asked).filter(
    ([name, value]) => Object.hasOwn(shape, name) && shape[name]?.safeParse(value).success === true,
  );
  const names = new Set(readable.map(([name]) => name));
  return {
    settings: routeSettings.parse(Object.fromEntries(readable)),
    unreadable: Object.keys(asked).filter((name) => !names.has(name)),
  };
}
