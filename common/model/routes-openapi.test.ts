import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { STATUS_NAMES } from '../errors/gateway-codes.ts';
import type { PipelineDefinition } from './pipeline.ts';
import { pipelineRoutes } from './route-record.ts';
import { routesOpenApi } from './routes-openapi.ts';
import { openApiFaults } from './openapi-faults.testing.ts';

type Settings = Record<string, unknown>;

/** A route wired directly to its reply, or through one node. */
function pipeline(id: string, route: Settings, reply: Settings = {}, between?: [kind: string, settings: Settings]) {
  const node = (name: string, kind: string, settings: Settings) => ({
    id: name,
    kind,
    position: { x: 0, y: 0 },
    settings,
  });
  const way = between ? ['in', 'mid', 'out'] : ['in', 'out'];
  return {
    id,
    name: id,
    runAs: 'caller',
    grants: [],
    nodes: [
      node('in', 'rest-api', { mode: 'ingress', ...route }),
      ...(between ? [node('mid', ...between)] : []),
      node('out', 'http-response', reply),
    ],
    wires: way.slice(1).map((to, index) => ({ from: way[index] ?? '', port: 'out', to })),
  } satisfies PipelineDefinition;
}

function documentOf(...definitions: PipelineDefinition[]) {
  const routes = definitions.flatMap((definition) =>
    pipelineRoutes({ project: 'line', newest: definition, started: definition, state: 'running' }).map((route) => ({
      route,
      definition,
      revision: 3,
    })),
  );
  const document = routesOpenApi({
    title: 'Line',
    servers: [{ url: 'http://edge-7:8090' }],
    machine: 'edge-7',
    routes,
  });
  expect(openApiFaults({ ...document, info: { ...document.info, version: '3' } })).toEqual([]);
  return JSON.parse(JSON.stringify(document));
}

const order = { type: 'object', required: ['orderId'], properties: { orderId: { type: 'string' } } };

test('a route is an operation with its path, key, scopes, body and errors', () => {
  const found = documentOf(
    pipeline(
      'orders',
      { method: 'POST', urlPattern: '/api/v1/orders/:id', requiredScopes: ['db:write'], rateLimit: 5, burstLimit: 2 },
      { status: 201 },
      ['validate', { schema: order }],
    ),
  );
  expect(found.servers).toEqual([{ url: 'http://edge-7:8090' }]);
  const path = found.paths['/api/v1/orders/{id}'];
  expect(path.parameters).toEqual([
    {
      name: 'id',
      in: 'path',
      required: true,
      description: expect.stringContaining('payload.params.id'),
      schema: { type: 'string', minLength: 1 },
    },
  ]);
  expect(path.post.security).toEqual([{ ApiKey: [] }]);
  expect(path.post['x-required-scopes']).toEqual(['db:write']);
  expect(path.post.description).toContain(
    'Needs an API key with the scopes `db:write`. Limited to 5 requests per second, with a burst of 2 more.',
  );
  expect(path.post.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/orders_in' });
  expect(found.components.schemas.orders_in).toEqual(order);
  // Without those of the connection, which are the same on every route.
  const ofRoute = Object.keys(STATUS_NAMES).filter((status) => !['408', '431'].includes(status));
  expect(Object.keys(path.post.responses)).toEqual(['201', ...ofRoute]);
  expect(path.post.responses['201'].description).toBe('The pipeline answers 201.');
  expect(found.components.responses.TooMany.headers).toHaveProperty('Retry-After');
});

test('a public GET has no key, no body and no refusals for them', () => {
  const found = documentOf(
    pipeline('health', { urlPattern: '/health', authType: 'none' }, { status: 200, body: { ok: true } }),
  );
  const { get } = found.paths['/health'];
  expect(get.security).toEqual([]);
  expect(get.requestBody).toBeUndefined();
  const schema = { $ref: '#/components/schemas/health_in_200' };
  expect(get.responses['200'].content).toEqual({ 'application/json': { schema, example: { ok: true } } });
  expect(found.components.schemas.health_in_200).toEqual({
    type: 'object',
    required: ['ok'],
    properties: { ok: { type: 'boolean' } },
  });
  expect(found.components.responses).not.toHaveProperty('TooMany');
  expect(get.responses).not.toHaveProperty('401');
  expect(get.responses).not.toHaveProperty('413');
  expect(get.responses).not.toHaveProperty('429');
  expect(get.responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
});

test('a status that both the pipeline and the gateway return has both forms', () => {
  const found = documentOf(
    pipeline('a', { urlPattern: '/a', replies: [{ status: 200 }] }, { status: 403, body: { error: 'not today' } }),
  );
  expect(Object.keys(found.paths['/a'].get.responses['403'].content)).toEqual([
    'application/json',
    'application/problem+json',
  ]);
});

test('* means all five methods, except where another route has the method itself', () => {
  const found = documentOf(
    pipeline('any', { method: '*', urlPattern: '/x' }),
    pipeline('one', { method: 'PUT', urlPattern: '/x' }),
  );
  const operations: Record<string, { operationId: string }> = found.paths['/x'];
  const ids = Object.entries(operations).map(([method, { operationId }]) => [method, operationId]);
  expect(ids).toEqual([
    ['get', 'any_in_get'],
    ['post', 'any_in_post'],
    ['put', 'one_in_put'],
    ['delete', 'any_in_delete'],
    ['patch', 'any_in_patch'],
  ]);
});

test('paths that differ only in their parameter names become one', () => {
  const found = documentOf(
    pipeline('a', { urlPattern: '/orders/:id' }),
    pipeline('b', { method: 'PUT', urlPattern: '/orders/:order' }),
  );
  expect(Object.keys(found.paths)).toEqual(['/orders/{id}']);
  expect(Object.keys(found.paths['/orders/{id}'])).toEqual(['parameters', 'get', 'put']);
});

test('of two routes with the same method and path, the second is reported as left out', () => {
  const found = documentOf(pipeline('a', { urlPattern: '/a' }), pipeline('b', { urlPattern: '/a' }));
  expect(found['x-sluice-left-out']).toEqual(['GET /a (b, in)']);
});

test('a schema that refers to its own parts still does so inside the document', () => {
  const schema = { properties: { order: { $ref: '#/$defs/order' } }, $defs: { order } };
  const found = documentOf(pipeline('a', { method: '*', urlPattern: '/a' }, {}, ['validate', { schema }]));
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(found, 'document');
  const check = ajv.getSchema('document#/components/schemas/a_in');
  expect(check?.({ order: { orderId: 'A' } })).toBe(true);
  expect(check?.({ order: {} })).toBe(false);
});

test('a reply without a body has none in the document', () => {
  const found = documentOf(pipeline('a', { urlPattern: '/a' }, { status: 204, body: { never: 'sent' } }));
  expect(found.paths['/a'].get.responses['204']).not.toHaveProperty('content');
});

test('described parameters and replies appear in the operation', () => {
  const schema = { type: 'array', items: { $ref: '#/$defs/point' }, $defs: { point: { type: 'number' } } };
  const found = documentOf(
    pipeline('trend', {
      urlPattern: '/trend',
      description: 'Means of the last hours.',
      headerWhitelist: 'X-Trace, Accept',
      queryParameters: [
        { name: 'hours', type: 'integer', required: true, description: 'Hours back.', example: 8 },
        { name: 'tag', type: 'array' },
      ],
      replies: [
        { status: 200, description: 'The means.', schema, example: [1, 2] },
        { status: 404, description: 'No such tag.', example: { error: 'no such tag' } },
        { status: 409, contentType: 'text/csv' },
      ],
    }),
  );
  const { get } = found.paths['/trend'];
  expect(get.description).toMatch(/^Means of the last hours\.\n\nAccepts any valid API key/);
  expect(get.parameters).toEqual([
    {
      name: 'hours',
      in: 'query',
      required: true,
      description: 'Hours back.',
      schema: { type: 'integer' },
      example: 8,
    },
    { name: 'tag', in: 'query', required: false, schema: { type: 'array', items: { type: 'string' } } },
    expect.objectContaining({ name: 'x-trace', in: 'header', required: false }),
  ]);
  expect(get.responses['200'].content).toEqual({
    'application/json': { schema: { $ref: '#/components/schemas/trend_in_200' }, example: [1, 2] },
  });
  expect(found.components.schemas.trend_in_200.items).toEqual({ $ref: '#/components/schemas/trend_in_200_point' });
  expect(get.responses['404'].description).toMatch(/^No such tag\. .*not_found/);
  expect(found.components.schemas.trend_in_404.properties).toEqual({ error: { type: 'string' } });
  expect(get.responses['409'].content['text/csv'].schema).toEqual({ $ref: '#/components/schemas/trend_in_409' });
  expect(get.responses).not.toHaveProperty('default');
});

test('a query parameter that the pipeline reads but its author did not describe has no description', () => {
  const route = { urlPattern: '/a', queryParameters: [{ name: 'line' }] };
  const found = documentOf(
    pipeline('a', route, {}, ['log', { message: '{{payload.query.line}} {{payload.query.from}}' }]),
  );
  const names = found.paths['/a'].get.parameters.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['line', 'from']);
});

test('a pipeline that sets its status itself has a 200 and a default', () => {
  const found = documentOf(pipeline('a', { urlPattern: '/a' }));
  const { responses } = found.paths['/a'].get;
  expect(responses['200'].content).toEqual({ 'application/json': { schema: {} } });
  expect(responses.default.description).toContain('any status');
});

test('a described 400 of a route that validates its body is kept', () => {
  const replies = [{ status: 400, description: 'Bad order.', schema: { type: 'object', title: 'Fault' } }];
  const definition = pipeline('a', { method: 'POST', urlPattern: '/a', replies }, {}, ['validate', { schema: order }]);
  definition.wires.push({ from: 'mid', port: 'invalid', to: 'out' });
  const { post } = documentOf(definition).paths['/a'];
  expect(post.responses['400'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/a_in_400' });
});

/** Each route alone takes 250 ms. */
test('if many routes lead into one long chain, its schemas are combined only once', () => {
  const node = (id: string, kind: string, settings: Settings) => ({ id, kind, position: { x: 0, y: 0 }, settings });
  const numbers = Array.from({ length: 240 }, (_, index) => index);
  const chain = numbers.map((index) =>
    node(`check${index}`, 'validate', { schema: { const: 'x'.repeat(1_500) + index } }),
  );
  const routes = numbers.map((index) => node(`in${index}`, 'rest-api', { method: 'POST', urlPattern: `/in/${index}` }));
  const started = performance.now();
  const document = documentOf({
    ...pipeline('chained', {}),
    nodes: [...routes, ...chain],
    wires: [
      ...routes.map(({ id }) => ({ from: id, port: 'out', to: 'check0' })),
      ...chain.slice(1).map(({ id }, index) => ({ from: `check${index}`, port: 'out', to: id })),
    ],
  });
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(Object.keys(document.paths)).toHaveLength(240);
});
