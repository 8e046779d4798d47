import { CATALOGUE, type ErrorCode } from '../errors/catalogue.ts';
import { parsePattern, patternShape } from '../pattern.ts';
import { METHODS } from './route-settings.ts';
import type { PipelineDefinition } from './pipeline.ts';
import type { RouteRecord } from './route-record.ts';
import { bodySchemaOf, type FixedReply, fixedReplies, tellsWhatIsInvalid } from './route-way.ts';

/**
 * The routes of one project as an OpenAPI 3.1 document: one operation for each method and path.
 *
 * What OpenAPI has no form of is decided here:
 * - `*` becomes the five methods of Sluice; a route with the exact method goes before it, as it does when it is called.
 *   HEAD is answered wherever GET is and is not written down.
 * - Paths that differ only in the names of their parameters are one path in OpenAPI: they get the names of the first.
 * - Two routes with the same method and path can be saved but not run together: the one that answers stands, else the
 *   first; the others are named in `x-sluice-left-out`.
 */
export interface OpenApiInput {
  title: string;
  version: string;
  /** Where callers reach the gateway: scheme, host and port. */
  address: string;
  /** Each with the definition that it is of. */
  routes: readonly { route: RouteRecord; definition: PipelineDefinition }[];
}

type Json = Record<string, unknown>;
type Entry = OpenApiInput['routes'][number];
type Method = (typeof METHODS)[number];

export function routesOpenApi({ title, version, address, routes }: OpenApiInput): Json {
  const bodies = bodySchemas(routes);
  const { paths, leftOut } = pathsOf(routes, bodies);
  return {
    openapi: '3.1.0',
    info: { title, version, description: DESCRIPTION },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: address }],
    paths,
    components: {
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'One key for each consumer.' },
      },
      schemas: { Problem: PROBLEM, Invalid: INVALID, ...Object.fromEntries(bodies.values()) },
      responses: Object.fromEntries(ERRORS.map(([name, codes]) => [name, errorResponse(codes)])),
    },
    ...(leftOut.length > 0 && { 'x-sluice-left-out': leftOut }),
  };
}

const DESCRIPTION =
  'Errors that the gateway makes are application/problem+json (RFC 9457). Every reply carries X-Request-Id: with it, the cause of a refusal is found in the audit journal.';

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
  properties: {
    type: { type: 'string', description: 'urn:sluice:problem:<code>' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    requestId: { type: 'string' },
  },
};

/** What the invalid port of a validate node answers (reference.md, Node kinds). */
const INVALID = {
  type: 'object',
  required: ['error', 'errors'],
  properties: {
    error: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

/** Behaviour 1: what can refuse a request, by status. */
const ERRORS = [
  ['BadRequest', ['bad_request', 'body_invalid']],
  ['Unauthorised', ['key_missing', 'key_invalid']],
  ['Forbidden', ['ip_not_allowed', 'origin_not_allowed', 'key_wrong_project', 'scope_missing']],
  ['NotFound', ['not_found']],
  ['TooLarge', ['payload_too_large']],
  ['UnsupportedMediaType', ['unsupported_media_type']],
  ['TooMany', ['rate_limited']],
  ['Failed', ['pipeline_failed']],
  ['Unavailable', ['overloaded', 'audit_unavailable']],
  ['TimedOut', ['route_timeout']],
] as const satisfies [string, ErrorCode[]][];
type ErrorName = (typeof ERRORS)[number][0];

const statusOf = (codes: readonly ErrorCode[]): number => CATALOGUE[codes[0] ?? 'bad_request'].status;

function errorResponse(codes: readonly ErrorCode[]): Json {
  return { description: codes.map((code) => `${code}: ${CATALOGUE[code].title}.`).join(' '), content: PROBLEM_CONTENT };
}

const PROBLEM_CONTENT = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** By its text: the name of the schema in the document, and the schema. A schema stands once, whoever uses it. */
type BodySchemas = Map<string, [name: string, schema: unknown]>;

function bodySchemas(routes: readonly Entry[]): BodySchemas {
  const found: BodySchemas = new Map();
  for (const { route, definition } of routes) {
    const schema = bodySchemaOf(definition, route.node);
    const text = JSON.stringify(schema);
    if (schema !== null && !found.has(text)) found.set(text, [`${route.pipeline}_${route.node}`, schema]);
  }
  return found;
}

interface OpenPath {
  template: string;
  names: string[];
  operations: Map<Method, Entry>;
}

function pathsOf(routes: readonly Entry[], bodies: BodySchemas): { paths: Json; leftOut: string[] } {
  const open = new Map<string, OpenPath>();
  const leftOut: string[] = [];
  for (const entry of routes.toSorted(byRank)) place(entry, open, leftOut);
  const paths = [...open.values()].toSorted((a, b) => (a.template < b.template ? -1 : 1));
  return { paths: Object.fromEntries(paths.map((path) => [path.template, pathItem(path, bodies)])), leftOut };
}

/** An exact method before `*`, what answers before what does not. */
function byRank({ route: a }: Entry, { route: b }: Entry): number {
  return Number(a.method === '*') - Number(b.method === '*') || Number(b.answers) - Number(a.answers);
}

function place(entry: Entry, open: Map<string, OpenPath>, leftOut: string[]): void {
  const { method, pattern, pipeline, node } = entry.route;
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return;
  const shape = patternShape(parsed.pattern);
  const path = open.get(shape) ?? { template: templateOf(pattern), names: namesIn(pattern), operations: new Map() };
  open.set(shape, path);
  const free = (method === '*' ? METHODS : [method]).filter((one) => !path.operations.has(one));
  if (free.length === 0) leftOut.push(`${method} ${pattern} (${pipeline}, ${node})`);
  for (const one of free) path.operations.set(one, entry);
}

const PARAMETER = /(?<=\/):([A-Za-z_][A-Za-z0-9_]*)/g;

function templateOf(pattern: string): string {
  return pattern.replaceAll(PARAMETER, '{$1}');
}

function namesIn(pattern: string): string[] {
  return [...pattern.matchAll(PARAMETER)].map(([, name = '']) => name);
}

function pathItem({ names, operations }: OpenPath, bodies: BodySchemas): Json {
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
  const item: Json = parameters.length > 0 ? { parameters } : {};
  for (const method of METHODS) {
    const entry = operations.get(method);
    if (entry) item[method.toLowerCase()] = operation(method, entry, bodies);
  }
  return item;
}

const WITH_BODY: ReadonlySet<string> = new Set<Method>(['POST', 'PUT', 'PATCH']);

function operation(method: Method, { route, definition }: Entry, bodies: BodySchemas): Json {
  const { pipeline, pipelineName, node, authType, requiredScopes } = route;
  const takesBody = WITH_BODY.has(method);
  return {
    operationId: `${pipeline}_${node}_${method.toLowerCase()}`,
    summary: `${method} ${route.pattern}`,
    description: controlsOf(route).join(' '),
    tags: [pipelineName],
    // OpenAPI 3.1 lets the array name what a key must hold, beside OAuth scopes.
    security: authType === 'none' ? [] : [{ ApiKey: requiredScopes }],
    ...(takesBody && { requestBody: requestBody(bodies.get(JSON.stringify(bodySchemaOf(definition, node)))) }),
    responses: responses(route, definition, takesBody),
  };
}

function controlsOf(route: RouteRecord): string[] {
  const { authType, requiredScopes, allowedIps, rateLimit, burstLimit, maxPayloadSize, timeout, answers } = route;
  const key = requiredScopes.length > 0 ? `A key with ${requiredScopes.join(', ')}.` : 'Any valid key of the project.';
  return [
    ...(answers ? [] : ['It does not answer now: it is a draft, or its pipeline is stopped.']),
    ...(route.method === '*' ? ['The route takes any method.'] : []),
    authType === 'none' ? 'Public: no key is asked for.' : key,
    ...(allowedIps === null ? [] : [`Only from ${allowedIps.join(', ')}.`]),
    ...(rateLimit > 0 ? [`At most ${rateLimit} requests/s, ${burstLimit} more at once.`] : []),
    `A body of at most ${maxPayloadSize} bytes. An answer within ${timeout} s.`,
  ];
}

function requestBody(known: [name: string, schema: unknown] | undefined): Json {
  if (known === undefined) return { required: false, content: { 'application/json': { schema: true } } };
  const schema = { $ref: `#/components/schemas/${known[0]}` };
  return { required: true, content: { 'application/json': { schema } } };
}

function responses(route: RouteRecord, definition: PipelineDefinition, takesBody: boolean): Json {
  const replies = fixedReplies(definition, route.node);
  const all: Json = {};
  for (const status of new Set(replies.map((reply) => reply.status)))
    all[status ?? 'default'] = replyResponse(replies.filter((reply) => reply.status === status));
  if (replies.length === 0) all['default'] = { description: 'The pipeline decides.' };
  if (takesBody && tellsWhatIsInvalid(definition, route.node)) all['400'] = withInvalid(all['400']);
  for (const [name, codes] of ERRORS) {
    if (!applies(name, route, takesBody)) continue;
    const status = statusOf(codes);
    all[status] =
      all[status] === undefined ? { $ref: `#/components/responses/${name}` } : withProblem(all[status], codes);
  }
  return all;
}

function applies(name: ErrorName, route: RouteRecord, takesBody: boolean): boolean {
  if (name === 'Unauthorised') return route.authType === 'api_key';
  if (name === 'TooMany') return route.rateLimit > 0;
  return takesBody || (name !== 'TooLarge' && name !== 'UnsupportedMediaType');
}

/** Statuses whose answers have no body in HTTP. */
const BODILESS: ReadonlySet<number | null> = new Set([204, 205, 304]);

function replyResponse(replies: readonly FixedReply[]): Json {
  const status = replies[0]?.status ?? null;
  const description = status === null ? 'The pipeline decides.' : `The pipeline answers ${status}.`;
  if (BODILESS.has(status)) return { description };
  const bodies = replies.filter((reply) => Object.hasOwn(reply, 'body')).map(({ body }) => body);
  if (bodies.length < replies.length) return { description };
  const content: Json = {};
  for (const body of bodies)
    if (body !== null) content[typeof body === 'string' ? 'text/plain' : 'application/json'] = { example: body };
  return Object.keys(content).length === 0 ? { description } : { description, content };
}

function contentOf(response: unknown): { description: string; content: Json } {
  if (!isRecord(response)) return { description: '', content: {} };
  return {
    description: String(response['description']),
    content: isRecord(response['content']) ? response['content'] : {},
  };
}

function withInvalid(response: unknown): Json {
  const { description, content } = contentOf(response);
  const told = 'The body does not fit the schema; every fault is listed.';
  const schema = { $ref: '#/components/schemas/Invalid' };
  return { description: `${description} ${told}`.trim(), content: { ...content, 'application/json': { schema } } };
}

function withProblem(response: unknown, codes: readonly ErrorCode[]): Json {
  const { description, content } = contentOf(response);
  const own = errorResponse(codes);
  return {
    description: `${description} Or the gateway: ${String(own['description'])}`,
    content: { ...content, ...PROBLEM_CONTENT },
  };
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
