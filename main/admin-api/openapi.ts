import { z } from 'zod';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import { ruleFields } from '#common/contract/rule-fields.ts';
import { problemResponse, REQUEST_ID_HEADER } from '#common/model/openapi-problem.ts';
import type { Call } from './call.ts';
import { ErrorResponses } from './call-errors.ts';
import { neededPermissions } from './guards.ts';
import { liftParts } from './lift-parts.ts';
import { cookieName } from './session-cookie.ts';
import { CALL_GROUPS } from './table.ts';

type Json = Record<string, unknown>;

const problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(CATALOGUE)),
  detail: z.string(),
  ...ruleFields,
  requestId: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string(), ...ruleFields })).optional(),
});

/** Facts about the running host for the document. */
export interface OpenApiFacts {
  version: string;
  /** Part of the name of the session cookie. */
  uiPort: number;
  /** `Host` of the request for the document: the address that reaches this host. */
  host: string;
}

/** The OpenAPI 3.1 document, generated from the same declarations as the checks. */
export function openApi({ version, uiPort, host }: OpenApiFacts): Json {
  const errors = new ErrorResponses();
  const paths: Record<string, Json> = {};
  for (const { tag, calls } of CALL_GROUPS)
    for (const call of calls) {
      const path = call.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
      paths[path] = { ...paths[path], [call.method]: operation(call, tag, errors) };
    }
  return liftParts({
    openapi: '3.1.0',
    info: {
      title: 'Sluice admin API',
      version,
      description: DESCRIPTION,
      contact: { name: 'Sluice' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `http://${host}/api/v1`, description: 'Host that this document was read from.' }],
    tags: CALL_GROUPS.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName(uiPort),
          description: 'Set by `POST /session`. The name has the port of the admin UI.',
        },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRF-Token',
          description: '`csrfToken` of `POST /session`. The cookie alone opens nothing.',
        },
        serviceToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A service token instead of a session, without a cookie.',
        },
        metricsToken: { type: 'http', scheme: 'bearer', description: 'The setting `metricsToken`.' },
      },
      headers: { RequestId: REQUEST_ID_HEADER },
      schemas: { Problem: schema(problemSchema, 'output') },
      responses: errors.all(),
    },
  });
}

const DESCRIPTION = [
  'Manages an appliance: projects, pipelines, keys, users and settings. It answers on loopback only.',
  'Times are RFC 3339 in UTC, durations are seconds, sizes are bytes.',
  'Lists are `{ "items": […], "next": cursor | null }`. Unknown fields are refused.',
  'Errors are `application/problem+json` (RFC 9457); `errors` names each wrong field. `rule` and `params` state for programs what `detail` or `message` says.',
].join(' ');

function operation(call: Call, tag: string, errors: ErrorResponses): Json {
  const permissions = neededPermissions(call.access);
  return {
    operationId: operationId(call),
    summary: call.summary,
    description: `${call.description} ${accessText(call, permissions)}`,
    tags: [tag],
    ...(permissions.length > 0 && { 'x-permissions': permissions }),
    security: security(call),
    parameters: [...pathParameters(call), ...queryParameters(call), ...headerParameters(call)],
    ...(call.body && {
      requestBody: {
        required: !acceptsNothing(call.body),
        content: {
          'application/json': { schema: bodySchema(call.body, call.ignored) },
          ...(call.takesLines && { 'application/jsonl': { schema: { type: 'string' } } }),
        },
      },
    }),
    responses: {
      [call.status]: answer(call),
      ...errors.of(call),
      default: problemResponse(['internal']),
    },
  };
}

function accessText({ access }: Call, permissions: readonly string[]): string {
  if (access === 'public') return 'No session is needed.';
  if (access === 'bearer') return 'Needs the bearer token instead of a session.';
  if (permissions.length === 0) return 'Needs a session.';
  const names = permissions.map((name) => `\`${name}\``).join(', ');
  return `Needs the ${permissions.length === 1 ? 'permission' : 'permissions'} ${names}.`;
}

function operationId(call: Call): string {
  const words = call.path.split(/[^A-Za-z]+/).filter(Boolean);
  return call.method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function security(call: Call): Json[] {
  if (call.access === 'public') return [];
  if (call.access === 'bearer') return [{ metricsToken: [] }];
  return [{ session: [], csrf: [] }, ...(call.usersOnly ? [] : [{ serviceToken: [] }])];
}

/** Including the fields that are ignored when sent back, so that a client may send what it has read. */
function bodySchema(body: z.ZodType, ignored: readonly string[]): Json {
  const json = schema(body, 'input');
  const fields = ignored.map((name) => [name, { readOnly: true, description: 'Ignored when sent back.' }]);
  return ignored.length === 0
    ? json
    : { ...json, properties: { ...asJson(json['properties']), ...Object.fromEntries(fields) } };
}

function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function acceptsNothing(body: z.ZodType): boolean {
  return body.safeParse({}).success;
}

function answer(call: Call): Json {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
  if (call.response) {
    const content = { 'application/json': { schema: schema(call.response, 'output') } };
    return { description: 'Done.', headers, content };
  }
  if (call.contentType !== null) return { description: 'Done.', headers, content: contentOf(call.contentType) };
  return { description: 'Done. The reply has no body.', headers };
}

function contentOf(types: string | readonly string[]): Json {
  return Object.fromEntries([types].flat().map((type) => [type, { schema: { type: 'string' } }]));
}

function pathParameters(call: Call): Json[] {
  const names = [...call.path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] ?? '');
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? `Id of the ${name}.`,
    schema: { type: 'string' },
  }));
}

/** Parameters that are not IDs. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  revision: 'Number of the revision.',
  node: 'Id of the REST API node.',
  tag: 'Path of the tag, with `/` written as `%2F`.',
  variable: 'Name of the variable, with `/` written as `%2F`.',
  file: 'Path of the file, with `/` written as `%2F`.',
  requestId: '`X-Request-Id` of the refused request.',
  alarm: 'Code of the alarm.',
};

function queryParameters(call: Call): Json[] {
  if (call.query === null) return [];
  const { properties, required } = schema(call.query, 'input');
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, value]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema: value,
  }));
}

function headerParameters(call: Call): Json[] {
  if (!call.ifMatch) return [];
  return [
    {
      name: 'If-Match',
      in: 'header',
      required: false,
      schema: { type: 'string' },
      description: 'The ETag of the revision to save over.',
    },
  ];
}

/** A Zod schema in the keywords of JSON Schema. */
function schema(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return json;
}
