import { z } from 'zod';
import { CATALOGUE } from '#common/errors/catalogue.ts';
import type { Call } from './call.ts';
import { isMutation, neededPermissions } from './guards.ts';
import { liftParts } from './lift-parts.ts';
import { CALLS } from './table.ts';

type Json = Record<string, unknown>;

const problemSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(CATALOGUE)),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
});

/** The OpenAPI 3.1 document, made from the same declarations as the checks. */
export function openApi(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const call of CALLS) {
    const path = call.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [call.method]: operation(call) };
  }
  return liftParts({
    openapi: '3.1.0',
    info: {
      title: 'Sluice admin API',
      version,
      description: 'Loopback only. Times are RFC 3339 in UTC, durations seconds, sizes bytes.',
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sluice_session_<UI port>' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
        metricsToken: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Problem: schema(problemSchema, 'output') },
    },
  });
}

function operation(call: Call): Json {
  const permissions = neededPermissions(call.access);
  return {
    operationId: operationId(call),
    summary: call.summary,
    ...(permissions.length > 0 && { 'x-permissions': permissions }),
    security: security(call),
    parameters: [...pathParameters(call), ...queryParameters(call), ...headerParameters(call)],
    ...(call.body && {
      requestBody: {
        required: !acceptsNothing(call.body),
        content: {
          'application/json': { schema: schema(call.body, 'input') },
          ...(call.takesLines && { 'application/jsonl': { schema: { type: 'string' } } }),
        },
      },
    }),
    responses: {
      [call.status]: answer(call),
      default: {
        description: 'Refused or failed',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function operationId(call: Call): string {
  const words = call.path.split(/[^A-Za-z]+/).filter(Boolean);
  return call.method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function security(call: Call): Json[] {
  if (call.access === 'public') return [];
  if (call.access === 'bearer') return [{ metricsToken: [] }];
  return [isMutation(call.method.toUpperCase()) ? { session: [], csrf: [] } : { session: [] }];
}

function acceptsNothing(body: z.ZodType): boolean {
  return body.safeParse({}).success;
}

function answer(call: Call): Json {
  if (call.response)
    return { description: 'Done', content: { 'application/json': { schema: schema(call.response, 'output') } } };
  if (call.contentType !== null) return { description: 'Done', content: contentOf(call.contentType) };
  return { description: 'Done' };
}

function contentOf(types: string | readonly string[]): Json {
  return Object.fromEntries([types].flat().map((type) => [type, { schema: { type: 'string' } }]));
}

function pathParameters(call: Call): Json[] {
  const names = [...call.path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] ?? '');
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

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

function schema(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return json;
}
