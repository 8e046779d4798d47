import type { Example, z } from '#sdk';
import type { settings } from './settings.ts';

const REPORT = {
  mode: 'egress',
  url: 'https://mes.example:8443/orders/{{payload.params.id}}/reports?line={{payload.query.line}}',
  method: 'POST',
  staticHeaders: { 'X-Plant': 'North' },
  timeout: 5,
  orderingKey: '{{payload.params.id}}',
} as const;
const REPORTED = { body: { good: 40 }, params: { id: 'A/7' }, query: { line: '7' } };

const FETCH = {
  mode: 'egress',
  url: 'https://mes.example:8443/recipes/{{payload.params.id}}',
  method: 'GET',
  staticHeaders: {},
  timeout: 2,
  storeAndForward: false,
} as const;

export const examples: readonly Example<z.input<typeof settings>>[] = [
  {
    title: 'Take orders, with a key that may write to the database',
    settings: { mode: 'ingress', method: 'POST', urlPattern: '/api/v1/orders', requiredScopes: ['db:write'] },
    payload: { body: { orderId: 4711 }, params: {}, query: {}, headers: {} },
    expect: { port: 'out', payload: { body: { orderId: 4711 }, params: {}, query: {}, headers: {} } },
  },
  {
    title: 'Answer a read with a parameter in the path',
    settings: { mode: 'ingress', method: 'GET', urlPattern: '/api/v1/lines/:line', timeout: 5, rateLimit: 20 },
    payload: { body: null, params: { line: '7' }, query: {}, headers: {} },
    expect: { port: 'out', payload: { body: null, params: { line: '7' }, query: {}, headers: {} } },
  },
  {
    title: 'Describe a read for integrators in the OpenAPI document',
    settings: {
      mode: 'ingress',
      urlPattern: '/api/v1/counters',
      description: 'Counts the bottles of a shift.',
      queryParameters: [{ name: 'shift', required: true, description: 'Name of the shift.', example: 'early' }],
      replies: [
        {
          status: 200,
          description: 'The count so far.',
          schema: { type: 'object', required: ['bottles'], properties: { bottles: { type: 'integer' } } },
          example: { bottles: 4711 },
        },
      ],
    },
    payload: { body: null, params: {}, query: { shift: 'early' }, headers: {} },
    expect: { port: 'out', payload: { body: null, params: {}, query: { shift: 'early' }, headers: {} } },
  },
  {
    title: 'Report to the MES, which accepts it immediately',
    settings: REPORT,
    payload: REPORTED,
    egress: {
      kind: 'answered',
      status: 201,
      headers: { 'content-type': 'application/json' },
      body: { report: 12 },
    },
    expect: {
      port: 'response',
      payload: { ...REPORTED, status: 201, headers: { 'content-type': 'application/json' }, body: { report: 12 } },
    },
  },
  {
    title: 'Report to an MES that is down: the report is kept and sent when it is back',
    settings: REPORT,
    payload: REPORTED,
    egress: { kind: 'queued', eventId: '01JQ8Z' },
    expect: { port: 'queued', payload: { ...REPORTED, status: 202, body: { eventId: '01JQ8Z' } } },
  },
  {
    title: 'Report while the buffer is full',
    settings: REPORT,
    payload: REPORTED,
    egress: { error: 'outbox_full' },
    expect: { error: 'outbox_full' },
  },
  {
    title: 'Fetch a recipe without store and forward: any response counts',
    settings: FETCH,
    payload: { body: null, params: { id: '9' } },
    egress: { kind: 'answered', status: 404, headers: {}, body: null },
    expect: { port: 'response', payload: { params: { id: '9' }, status: 404, headers: {}, body: null } },
  },
];
