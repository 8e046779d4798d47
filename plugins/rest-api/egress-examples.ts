import type { Example, z } from '#sdk';
import type { egressNodeSettings } from './egress-settings.ts';

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

export const egressExamples: readonly Example<z.input<typeof egressNodeSettings>>[] = [
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
