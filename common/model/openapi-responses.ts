import type { ErrorCode } from '../errors/catalogue.ts';
import { GATEWAY_CODES, type GatewayCode, STATUS_NAMES } from '../errors/gateway-codes.ts';
import { PROBLEM_CONTENT, problemDescription, problemResponse } from './openapi-problem.ts';
import type { PipelineDefinition } from './pipeline.ts';
import type { SchemaComponents } from './openapi-schema.ts';
import type { RouteReply } from './route-description.ts';
import type { RouteRecord } from './route-record.ts';
import { type FixedReply, fixedReplies, reportsInvalidBody } from './route-contract.ts';
import { schemaOfValue } from './value-schema.ts';

/** A route with the definition and revision of its pipeline. */
export interface RouteEntry {
  readonly route: RouteRecord;
  readonly definition: PipelineDefinition;
  readonly revision: number;
}

/**
 * The responses of a route, by status: the author's descriptions, then replies that the graph fixes, then the refusals
 * of the gateway. A pipeline that chooses its status at run time and has no described success gets a 200 with arbitrary
 * JSON.
 */
export interface DescribedRoute extends RouteEntry {
  readonly replies: readonly RouteReply[];
  readonly takesBody: boolean;
}

type Json = Record<string, unknown>;

interface Response {
  readonly description: string;
  readonly content: Json;
  readonly headers: Json;
}

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** Body of the `invalid` port of a validate node (status 400). */
export const INVALID_SCHEMA = {
  type: 'object',
  description: 'Every field of the body that does not fit the schema.',
  required: ['error', 'errors'],
  properties: {
    error: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'Dotted path of the field; empty = the body.' },
          message: { type: 'string', description: 'Expected form of the field.' },
        },
      },
    },
  },
};

/** Excluded: faults of the connection, which are the same on every route. */
const NOT_DESCRIBED: ReadonlySet<GatewayCode> = new Set(['request_timeout', 'headers_too_large']);

const RATE_LIMITED = GATEWAY_CODES.rate_limited.status;
const ONLY_WITH_BODY: ReadonlySet<number> = new Set([
  GATEWAY_CODES.payload_too_large.status,
  GATEWAY_CODES.unsupported_media_type.status,
]);

interface StatusRefusals {
  readonly status: number;
  readonly name: string;
  readonly codes: readonly GatewayCode[];
}

/** Refusals of the gateway on a route, one component for each status. */
const REFUSALS: readonly StatusRefusals[] = Object.entries(STATUS_NAMES)
  .map(([text, name]) => ({ status: Number(text), name, codes: codesOf(Number(text)) }))
  .filter(({ codes }) => codes.length > 0);

function codesOf(status: number): GatewayCode[] {
  const codes = Object.keys(GATEWAY_CODES) as GatewayCode[];
  return codes.filter((code) => GATEWAY_CODES[code].status === status && !NOT_DESCRIBED.has(code));
}

/** By the name of the component. */
export function errorResponses(): Json {
  return Object.fromEntries(
    REFUSALS.map(({ status, name, codes }) => [
      name,
      problemResponse(codes, status === RATE_LIMITED ? RETRY_AFTER : {}),
    ]),
  );
}

export function routeResponses(described: DescribedRoute, schemas: SchemaComponents): Json {
  const { route, definition, takesBody } = described;
  const own = ownResponses(described, schemas);
  if (takesBody && reportsInvalidBody(definition, route.node)) own.set('400', withInvalid(own.get('400')));
  const all: Json = Object.fromEntries(own);
  for (const { status, name, codes } of REFUSALS) {
    if (!applies(status, described)) continue;
    const before = own.get(String(status));
    all[status] = before === undefined ? { $ref: `#/components/responses/${name}` } : withProblem(before, codes);
  }
  return Object.fromEntries(Object.entries(all).map(([status, response]) => [status, withoutEmpty(response)]));
}

function applies(status: number, { route, takesBody }: DescribedRoute): boolean {
  if (status === GATEWAY_CODES.key_missing.status) return route.authType === 'api_key';
  if (status === RATE_LIMITED) return route.rateLimit > 0;
  return takesBody || !ONLY_WITH_BODY.has(status);
}

/** Replies of the pipeline. */
function ownResponses(described: DescribedRoute, schemas: SchemaComponents): Map<string, Response> {
  const { route, definition, replies } = described;
  const fixed = Map.groupBy(fixedReplies(definition, route.node), ({ status }) => status);
  const nameOf = (status: string): string => `${route.pipeline}_${route.node}_${status}`;
  const found = new Map<string, Response>();
  for (const reply of replies) {
    const status = String(reply.status);
    const derived = fixedContent(fixed.get(reply.status) ?? [], nameOf(status), schemas);
    found.set(status, describedResponse(reply, derived, nameOf(status), schemas));
  }
  for (const [status, list] of fixed) {
    if (status === null || found.has(String(status))) continue;
    const content = BODILESS.has(status) ? {} : fixedContent(list, nameOf(String(status)), schemas);
    found.set(String(status), response(`The pipeline answers ${status}.`, content));
  }
  const open = fixed.get(null) ?? (fixed.size === 0 ? [{ status: null }] : []);
  if (open.length > 0 && ![...found.keys()].some((status) => status.startsWith('2'))) {
    const content = fixedContent(open, nameOf('200'), schemas);
    found.set('200', response(OPEN_200, Object.keys(content).length > 0 ? content : ANY_JSON));
  }
  if (open.length > 0 && replies.length === 0) found.set('default', response(OPEN_DEFAULT, {}));
  return found;
}

const OPEN_200 = 'The pipeline answers 200 unless it chooses another status. Its author has not described the body.';
const OPEN_DEFAULT = 'The pipeline can choose any status from 200 to 599. Its author has not described them.';
const ANY_JSON = { 'application/json': { schema: {} } };

/** Statuses whose responses have no body in HTTP. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

function response(description: string, content: Json): Response {
  return { description, content, headers: REQUEST_ID };
}

function describedResponse(reply: RouteReply, derived: Json, name: string, schemas: SchemaComponents): Response {
  const { status, description = '', schema, example } = reply;
  const text = description === '' ? `The pipeline answers ${status}.` : description;
  if (BODILESS.has(status)) return response(text, {});
  if (schema === undefined && example === undefined && reply.contentType === undefined) return response(text, derived);
  const type = reply.contentType ?? (schema === undefined && typeof example === 'string' ? TEXT : JSON_TYPE);
  const body = schema ?? (example === undefined ? anyOf(type) : schemaOfValue(example));
  const media = { schema: schemas.reference(name, body), ...(example !== undefined && { example }) };
  return response(text, { [type]: media });
}

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';

function anyOf(type: string): Json {
  return type.startsWith('text/') ? { type: 'string' } : {};
}

/** Fixed bodies of HTTP Response nodes, by media type; empty if a body is not fixed or absent. */
function fixedContent(replies: readonly FixedReply[], name: string, schemas: SchemaComponents): Json {
  const bodies = replies.filter((reply) => Object.hasOwn(reply, 'body')).map(({ body }) => body);
  if (bodies.length < replies.length) return {};
  const byType = Map.groupBy(
    bodies.filter((body) => body !== null),
    (body) => (typeof body === 'string' ? TEXT : JSON_TYPE),
  );
  const media = [...byType].map(([type, list]): [string, Json] => [
    type,
    { schema: schemas.reference(name, schemaOfAny(list)), example: list[0] },
  ]);
  return Object.fromEntries(media);
}

function schemaOfAny(values: readonly unknown[]): Json {
  const schemas = [...new Map(values.map(schemaOfValue).map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = {}] = schemas;
  return schemas.length === 1 ? first : { anyOf: schemas };
}

/** The author's description of the body takes precedence. */
function withInvalid(before: Response | undefined): Response {
  const described = before !== undefined && Object.keys(before.content).length > 0;
  const text = described ? '' : 'The body does not fit the schema; every field that does not is listed.';
  const schema = { $ref: '#/components/schemas/Invalid' };
  return {
    description: `${before?.description ?? ''} ${text}`.trim(),
    content: described ? before.content : { [JSON_TYPE]: { schema } },
    headers: REQUEST_ID,
  };
}

function withProblem({ description, content, headers }: Response, codes: readonly ErrorCode[]): Response {
  return {
    description: `${description} Refusals of the gateway have this status too: ${problemDescription(codes)}`,
    content: { ...content, ...PROBLEM_CONTENT },
    headers,
  };
}

function withoutEmpty(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('content' in given)) return given;
  const { content, ...rest } = given;
  return typeof content === 'object' && content !== null && Object.keys(content).length === 0 ? rest : given;
}
