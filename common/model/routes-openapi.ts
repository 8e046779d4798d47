import { parsePattern, patternShape } from '../pattern.ts';
import { REQUEST_ID_HEADER, PROBLEM_SCHEMA, RETRY_AFTER_HEADER } from './openapi-problem.ts';
import { routeOperation } from './openapi-operation.ts';
import { errorResponses, INVALID_SCHEMA, type RouteEntry } from './openapi-responses.ts';
import { SchemaComponents } from './openapi-schema.ts';
import { METHODS } from './route-settings.ts';

/**
 * The routes of one project as an OpenAPI 3.1 document: one operation for each method and path.
 *
 * Decisions where OpenAPI has no corresponding concept:
 * - `*` becomes the five methods of Sluice; a route with the exact method takes precedence, as in the gateway. HEAD is
 *   accepted wherever GET is, and is not listed.
 * - Paths that differ only in the names of their parameters are one path in OpenAPI: they get the names of the first.
 * - Two routes with the same method and path can be saved but cannot run together: the running one is kept, else the
 *   first; the others are listed in `x-sluice-left-out`.
 * - Scopes of a key are in `x-required-scopes`: older tools reject them in `security` outside of OAuth.
 */
export interface OpenApiInput {
  title: string;
  /** Addresses of the gateway, the best one first. */
  servers: readonly { url: string; description?: string }[];
  /** The name of the PC that serves the routes. */
  machine: string;
  /** Each with its definition and revision. */
  routes: readonly RouteEntry[];
}

type Json = Record<string, unknown>;
type Method = (typeof METHODS)[number];

/** Without `info.version`, which is derived from the rest of the document. */
export interface RoutesDocument {
  readonly openapi: string;
  readonly info: Json;
  readonly servers: OpenApiInput['servers'];
  readonly [field: string]: unknown;
}

export function routesOpenApi({ title, servers, machine, routes }: OpenApiInput): RoutesDocument {
  const schemas = new SchemaComponents({ Problem: PROBLEM_SCHEMA, Invalid: INVALID_SCHEMA });
  const { paths, shown, leftOut } = pathsOf(routes, schemas);
  const components = {
    securitySchemes: { ApiKey: API_KEY },
    headers: { RequestId: REQUEST_ID_HEADER, RetryAfter: RETRY_AFTER_HEADER },
    schemas: schemas.all(),
    responses: errorResponses(),
  };
  return {
    openapi: '3.1.0',
    info: {
      title,
      description: DESCRIPTION,
      contact: { name: `Operator of ${machine}` },
      license: { name: 'For holders of an API key of this project', identifier: 'LicenseRef-Internal' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers,
    tags: tagsOf(shown),
    paths,
    components: usedComponents(paths, components),
    ...(leftOut.length > 0 && { 'x-sluice-left-out': leftOut }),
  };
}

const API_KEY = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  description: 'Key of one consumer. It opens this project with the scopes that it was given.',
};

const DESCRIPTION = [
  'Errors of the gateway are `application/problem+json` (RFC 9457).',
  'Every reply has the header `X-Request-Id`, which leads to the cause of a refusal in the audit journal.',
  'The version is the sum of the revision numbers of the pipelines and a digest of this document: documents with equal versions are equal.',
].join(' ');

/** A tag for each pipeline that has an operation. */
function tagsOf(shown: Iterable<RouteEntry>): Json[] {
  const pipelines = Map.groupBy(shown, ({ route }) => route.pipelineName);
  return [...pipelines].map(([name, entries]) => {
    const revisions = new Set(entries.map(({ route, revision }) => `\`${route.pipeline}\`, revision ${revision}`));
    return { name, description: `Routes of the pipeline ${[...revisions].join(', and ')}.` };
  });
}

interface OpenPath {
  template: string;
  names: string[];
  operations: Map<Method, RouteEntry>;
}

interface Paths {
  readonly paths: Json;
  /** Routes that have an operation, in the order of the paths; a route with several operations occurs several times. */
  readonly shown: RouteEntry[];
  readonly leftOut: string[];
}

function pathsOf(routes: readonly RouteEntry[], schemas: SchemaComponents): Paths {
  const open = new Map<string, OpenPath>();
  const leftOut: string[] = [];
  for (const entry of routes.toSorted(byRank)) place(entry, open, leftOut);
  const paths = [...open.values()].toSorted((a, b) => (a.template < b.template ? -1 : 1));
  const items = paths.map((path): [string, Json] => [path.template, pathItem(path, schemas)]);
  const shown = paths.flatMap(({ operations }) => [...operations.values()]);
  return { paths: Object.fromEntries(items), shown, leftOut };
}

/** An exact method before `*`, running routes before stopped ones. */
function byRank({ route: a }: RouteEntry, { route: b }: RouteEntry): number {
  return Number(a.method === '*') - Number(b.method === '*') || Number(b.answers) - Number(a.answers);
}

function place(entry: RouteEntry, open: Map<string, OpenPath>, leftOut: string[]): void {
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

function pathItem({ names, operations }: OpenPath, schemas: SchemaComponents): Json {
  const parameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: `One segment of the path, percent-encoded. The pipeline reads it as \`payload.params.${name}\`.`,
    schema: { type: 'string', minLength: 1 },
  }));
  const item: Json = parameters.length > 0 ? { parameters } : {};
  for (const method of METHODS) {
    const entry = operations.get(method);
    if (entry) item[method.toLowerCase()] = routeOperation(method, entry, schemas);
  }
  return item;
}

/** The components that are reachable from the paths: linters warn about unused ones. An empty group is left out. */
function usedComponents(paths: Json, components: Record<string, Json>): Json {
  const used = new Set<string>();
  const open: unknown[] = [paths];
  for (let part = open.pop(); part !== undefined; part = open.pop())
    for (const [, group = '', name = ''] of JSON.stringify(part).matchAll(COMPONENT)) {
      if (used.has(`${group}/${name}`)) continue;
      used.add(`${group}/${name}`);
      open.push(components[group]?.[name] ?? {});
    }
  const groups = Object.entries(components).map(([group, members]): [string, Json] => [
    group,
    group === 'securitySchemes' ? members : pick(members, (name) => used.has(`${group}/${name}`)),
  ]);
  return Object.fromEntries(groups.filter(([, members]) => Object.keys(members).length > 0));
}

const COMPONENT = /"#\/components\/([a-zA-Z]+)\/([A-Za-z0-9._-]+)/g;

function pick(members: Json, wanted: (name: string) => boolean): Json {
  return Object.fromEntries(Object.entries(members).filter(([name]) => wanted(name)));
}
