import type { PipelineDefinition } from './pipeline.ts';
import type { SchemaComponents } from './openapi-schema.ts';
import { type RouteEntry, routeResponses } from './openapi-responses.ts';
import { readRouteSettings, type RouteRecord } from './route-record.ts';
import type { METHODS, RouteSettings } from './route-settings.ts';
import { type BodyDemands, bodySchemaOf, queryNamesOf } from './route-contract.ts';

type Json = Record<string, unknown>;
type Method = (typeof METHODS)[number];

const WITH_BODY: ReadonlySet<string> = new Set<Method>(['POST', 'PUT', 'PATCH']);

/** The operation of a route for one method, without the parameters of its path. */
export function routeOperation(method: Method, entry: RouteEntry, schemas: SchemaComponents): Json {
  const { route, definition } = entry;
  const { pipeline, pipelineName, node, authType, requiredScopes } = route;
  const given = definition.nodes.find(({ id }) => id === node);
  const { settings } = readRouteSettings(given?.settings ?? {});
  const takesBody = WITH_BODY.has(method);
  const parameters = [...queryParameters(settings, definition, node), ...headerParameters(route.headerWhitelist)];
  return {
    operationId: `${pipeline}_${node}_${method.toLowerCase()}`,
    summary: pipelineName,
    description: descriptionOf(settings, route, takesBody),
    tags: [pipelineName],
    security: authType === 'none' ? [] : [{ ApiKey: [] }],
    ...(authType === 'api_key' && requiredScopes.length > 0 && { 'x-required-scopes': requiredScopes }),
    ...(parameters.length > 0 && { parameters }),
    ...(takesBody && { requestBody: requestBody(entry, schemas) }),
    responses: routeResponses({ ...entry, replies: settings.replies ?? [], takesBody }, schemas),
  };
}

function descriptionOf({ description }: RouteSettings, route: RouteRecord, takesBody: boolean): string {
  const controls = controlsOf(route, takesBody).join(' ');
  return description === undefined || description === '' ? controls : `${description}\n\n${controls}`;
}

function controlsOf(route: RouteRecord, takesBody: boolean): string[] {
  const { authType, requiredScopes, allowedIps, rateLimit, burstLimit, maxPayloadSize, timeout, answers } = route;
  const key =
    requiredScopes.length > 0
      ? `Needs an API key with the scopes ${requiredScopes.map((scope) => `\`${scope}\``).join(', ')}.`
      : 'Accepts any valid API key of the project.';
  return [
    ...(answers ? [] : ['Does not answer now: the route is a draft, or its pipeline is stopped.']),
    ...(route.method === '*' ? ['The route accepts every method.'] : []),
    authType === 'none' ? 'Public: no API key is needed.' : key,
    ...(allowedIps === null ? [] : [`Accepts calls from ${allowedIps.join(', ')} only.`]),
    ...(rateLimit > 0 ? [`Limited to ${rateLimit} requests per second, with a burst of ${burstLimit} more.`] : []),
    ...(takesBody ? [`The body is limited to ${maxPayloadSize} bytes.`] : []),
    `The reply comes within ${timeout} s.`,
  ];
}

/** The described parameters, then the others that the pipeline reads. */
function queryParameters({ queryParameters: given = [] }: RouteSettings, definition: PipelineDefinition, node: string) {
  const names = new Set(given.map(({ name }) => name));
  const found = queryNamesOf(definition, node).filter((name) => !names.has(name));
  return [
    ...given.map(({ name, type, required, description, example }) => ({
      name,
      in: 'query',
      required,
      ...(description !== undefined && { description }),
      schema: type === 'array' ? { type, items: { type: 'string' } } : { type },
      ...(example !== undefined && { example }),
    })),
    ...found.map((name) => ({
      name,
      in: 'query',
      required: false,
      description: `The pipeline reads it as \`payload.query.${name}\`.`,
      schema: { type: 'string' },
    })),
  ];
}

/** OpenAPI 3.1, Parameter Object: parameters with these names are ignored. */
const NOT_PARAMETERS = new Set(['accept', 'content-type', 'authorization']);

function headerParameters(names: readonly string[]): Json[] {
  return names
    .filter((name) => !NOT_PARAMETERS.has(name))
    .map((name) => ({
      name,
      in: 'header',
      required: false,
      description: 'Passed on to the pipeline.',
      schema: { type: 'string' },
    }));
}

/** Definitions come from the store and are never modified. */
const demands = new WeakMap<PipelineDefinition, BodyDemands>();

function requestBody({ route, definition }: RouteEntry, schemas: SchemaComponents): Json {
  const shared: BodyDemands = demands.get(definition) ?? new Map<string, unknown>();
  demands.set(definition, shared);
  const schema = bodySchemaOf(definition, route.node, shared);
  if (schema === null) return { required: false, content: { 'application/json': { schema: {} } } };
  const reference = schemas.reference(`${route.pipeline}_${route.node}`, schema);
  return { required: true, content: { 'application/json': { schema: reference } } };
}
