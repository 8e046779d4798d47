import { activePart } from './active-part.ts';
import type { PipelineDefinition, PipelineNode } from './pipeline.ts';

/**
 * Conclusions about a route from the graph of its pipeline, without running it: schemas that a body must fit, fixed
 * replies, query parameters that are read. In doubt it says nothing: everything undecidable is omitted.
 */
export interface FixedReply {
  /** Null: it depends on the message. */
  status: number | null;
  /** Absent: it depends on the message. */
  body?: unknown;
}

interface Graph {
  readonly pipeline: string;
  readonly nodes: ReadonlyMap<string, PipelineNode>;
  readonly wires: PipelineDefinition['wires'];
}

const BODY = 'payload.body';

/**
 * The largest size, in characters, of a schema that is combined from several. Paths that split and join again double it
 * each time, so thirty of them would result in a text of gigabytes.
 */
const COMPOSED_CHARS_MAX = 128 * 1024;

/** The requirements for a body from each node on, for nodes where they do not depend on the route. */
export type BodyDemands = Map<string, unknown>;

/**
 * The schema that the body of a request must fit to pass: those of `validate` nodes that check `payload.body` while it
 * is unchanged. Null if at least one path has no such node. `shared` belongs to this definition: hundreds of routes may
 * lead into one long chain, and each would combine its schemas again.
 */
export function bodySchemaOf(
  definition: PipelineDefinition,
  ingress: string,
  shared: BodyDemands = new Map<string, unknown>(),
): unknown {
  const schema = demand({ graph: graphOf(definition), open: new Set(), known: new Map(), shared, rings: 0 }, ingress);
  return schema === true ? null : schema;
}

interface Walk {
  readonly graph: Graph;
  /** Nodes on the current path. */
  readonly open: Set<string>;
  /** For this route. */
  readonly known: Map<string, unknown>;
  readonly shared: BodyDemands;
  /**
   * The number of cycles that were found: results on the way to a cycle depend on where the traversal began, and are
   * not shared.
   */
  rings: number;
}

/** The requirement for a body from this node on; true: anything. A cycle requires nothing. */
function demand(walk: Walk, id: string): unknown {
  const { graph, open, known, shared, rings } = walk;
  if (shared.has(id)) return shared.get(id);
  if (open.has(id) || known.has(id)) {
    walk.rings += 1;
    return known.get(id) ?? true;
  }
  open.add(id);
  const node = graph.nodes.get(id);
  const schema = node === undefined || !keepsBody(node) ? true : demandOf(walk, node);
  open.delete(id);
  known.set(id, schema);
  if (walk.rings === rings) shared.set(id, schema);
  return schema;
}

function demandOf(walk: Walk, node: PipelineNode): unknown {
  const { graph } = walk;
  const own = checksBody(node) ? standalone(node, graph) : true;
  const ways = portsOf(graph, node.id).map((targets) => all(targets.map((to) => demand(walk, to))));
  return all([own, either(ways)]);
}

const REFERS = /"\$(?:dynamicR|r)ef":/;

/** A schema with references to its own parts gets an ID, so that the references also work inside another document. */
function standalone({ id, settings: { schema = true } }: PipelineNode, { pipeline }: Graph): unknown {
  if (!isRecord(schema) || schema['$id'] !== undefined || !REFERS.test(JSON.stringify(schema))) return schema;
  return { $id: `urn:sluice:schema:${pipeline}:${id}`, ...schema };
}

/** The targets of the wires at each port. A message that leaves through `invalid` or `error` was not accepted. */
function portsOf(graph: Graph, id: string): string[][] {
  const own = graph.wires.filter(({ from, port }) => from === id && port !== 'invalid' && port !== 'error');
  return [...Map.groupBy(own, ({ port }) => port).values()].map((wires) => wires.map(({ to }) => to));
}

function all(schemas: readonly unknown[]): unknown {
  const real = distinct(schemas.filter((schema) => schema !== true));
  return real.length <= 1 ? (real[0] ?? true) : composed({ allOf: real });
}

function either(schemas: readonly unknown[]): unknown {
  if (schemas.length === 0 || schemas.includes(true)) return true;
  const real = distinct(schemas);
  return real.length === 1 ? real[0] : composed({ anyOf: real });
}

/** A combined schema that is too large becomes one that accepts anything. */
function composed(schema: object): unknown {
  return JSON.stringify(schema).length > COMPOSED_CHARS_MAX ? true : schema;
}

function distinct(schemas: readonly unknown[]): unknown[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function checksBody({ kind, settings }: PipelineNode): boolean {
  return kind === 'validate' && (settings['path'] ?? BODY) === BODY;
}

const PASSING_KINDS = new Set(['validate', 'switch', 'log', 'delay', 'tag-write', 'variable-write', 'message-out']);

/** Whether the body after the node is the same as before it. An unknown kind may change it. */
function keepsBody({ kind, settings }: PipelineNode): boolean {
  if (kind === 'rest-api') return settings['mode'] !== 'egress';
  if (PASSING_KINDS.has(kind)) return !touchesBody(settings['into']);
  if (kind !== 'set' || !Array.isArray(settings['assign'])) return false;
  return settings['assign'].every((one: unknown) => isRecord(one) && !touchesBody(one['path']));
}

function touchesBody(path: unknown): boolean {
  return path === 'payload' || path === BODY || (typeof path === 'string' && path.startsWith(`${BODY}.`));
}

/** The fixed replies of the HTTP Response nodes that a request can reach. */
export function fixedReplies(definition: PipelineDefinition, ingress: string): FixedReply[] {
  const graph = graphOf(definition);
  const replies: FixedReply[] = [];
  for (const node of reached(graph, ingress)) {
    const { kind, settings } = node;
    if (kind !== 'http-response') continue;
    const status = typeof settings['status'] === 'number' ? settings['status'] : null;
    replies.push({ status, ...(Object.hasOwn(settings, 'body') && { body: settings['body'] }) });
  }
  return replies;
}

/**
 * Whether a body that does not fit the schema gets the reply of the validate node itself: status 400 and a list of
 * errors.
 */
export function reportsInvalidBody(definition: PipelineDefinition, ingress: string): boolean {
  const graph = graphOf(definition);
  return [...reached(graph, ingress)].some(
    ({ id, kind }) =>
      kind === 'validate' &&
      graph.wires.some(({ from, port, to }) => from === id && port === 'invalid' && isOpenReply(graph.nodes.get(to))),
  );
}

function isOpenReply(node: PipelineNode | undefined): boolean {
  return (
    node?.kind === 'http-response' && node.settings['status'] === undefined && !Object.hasOwn(node.settings, 'body')
  );
}

const QUERY_NAME = /payload\.query\.([A-Za-z_][A-Za-z0-9_-]{0,63})/g;
const QUERY_NAMES_MAX = 20;

/** Names of query parameters that templates, paths and code of the nodes after the route use. */
export function queryNamesOf(definition: PipelineDefinition, ingress: string): string[] {
  const names = new Set<string>();
  for (const { settings } of reached(graphOf(definition), ingress))
    for (const [, name = ''] of JSON.stringify(settings).matchAll(QUERY_NAME)) names.add(name);
  return [...names].slice(0, QUERY_NAMES_MAX);
}

function reached(graph: Graph, ingress: string): Set<PipelineNode> {
  const found = new Set<PipelineNode>();
  const open = [ingress];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = graph.nodes.get(id);
    if (node === undefined || found.has(node)) continue;
    found.add(node);
    for (const { from, to } of graph.wires) if (from === id) open.push(to);
  }
  return found;
}

function graphOf(definition: PipelineDefinition): Graph {
  const { nodes, wires } = activePart(definition);
  return { pipeline: definition.id, nodes: new Map(nodes.map((node) => [node.id, node])), wires };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
