import type { Scope } from '../scopes.ts';
import { activePart } from './active-part.ts';
import type { PipelineDefinition, PipelineNode, PipelineState } from './pipeline.ts';
import { type RouteMethod, routeSettings, type RouteSettings } from './route-settings.ts';

/**
 * A published route in the admin API (`GET /routes`), from the started revision, or from the newest one if none was
 * started. Sizes are in bytes, durations in seconds, rates in requests per second.
 */
export interface RouteRecord {
  project: string;
  pipeline: string;
  pipelineName: string;
  node: string;
  method: RouteMethod;
  pattern: string;
  state: PipelineState;
  /** False: its pipeline is not running, or runs without it; calls are refused (`STOPPED_CODE`). */
  answers: boolean;
  /** The effect of starting the newest revision. */
  draft: 'same' | 'changed' | 'added' | 'removed';
  authType: 'api_key' | 'none';
  requiredScopes: Scope[];
  /** Null: any. */
  allowedIps: string[] | null;
  /** 0: no limit. */
  rateLimit: number;
  burstLimit: number;
  maxPayloadSize: number;
  corsEnabled: boolean;
  allowedOrigins: string[];
  headerWhitelist: string[];
  timeout: number;
  /** Invalid settings. The record shows the defaults in their place; the route cannot be started with them. */
  unreadable: string[];
}

/** How callers reach the gateway. */
export interface CallersGateway {
  /** Scheme, host and port. */
  address: string;
  /** The gateway uses TLS with Sluice's own certificate: callers must be given it. */
  ownCertificate: boolean;
}

export interface RouteList extends CallersGateway {
  items: RouteRecord[];
  next: null;
}

/** A route with the data that a caller sends: the schema that the body must fit, and a body that fits it. */
export interface RouteDetail extends CallersGateway {
  route: RouteRecord;
  /** Null: the pipeline does not check the unchanged body against a schema. */
  bodySchema: unknown;
  /** Null: no example is known. */
  sampleBody: unknown;
  /** Names of the query parameters that the pipeline reads. */
  queryNames: string[];
}

/** The parts of a pipeline from which its routes are read. */
export interface RoutedPipeline {
  project: string;
  newest: PipelineDefinition;
  /** The revision that was started, even if the start failed; null: stopped. */
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

/** The nodes that publish a route: enabled nodes of kind REST API that are not in egress mode. */
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

/** The readable settings, with defaults in place of invalid ones: a draft is listed however incomplete it is. */
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
