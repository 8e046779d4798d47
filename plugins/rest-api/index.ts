import { routeSettings } from '#common/model/route-settings.ts';
import { defineKind, type NodeInstance, z } from '#sdk';

const egressSettings = z
  .looseObject({ mode: z.literal('egress') })
  .refine(() => false, { path: ['mode'], error: 'egress arrives with store-and-forward; expected "ingress"' })
  .meta({ title: 'Egress', description: 'Calls an HTTP target. Arrives with store-and-forward; not available yet.' });

const settings = z.discriminatedUnion(
  'mode',
  [routeSettings.meta({ title: 'Ingress', description: 'Publishes an HTTP route.' }), egressSettings],
  {
    error: 'expected "ingress" or "egress"',
  },
);

/** The gateway has made the message from the request: it leaves as it came. */
const ingress: NodeInstance = {
  run: (message) => ({ port: 'out', message }),
};

export const restApi = defineKind({
  id: 'rest-api',
  version: '1.0.0',
  title: 'REST API',
  summary: 'Publishes an HTTP route: each request becomes a message.',
  category: 'http',
  input: false,
  settings,
  ports: () => ['out'],
  scopes: () => [],
  examples: [
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
  ],
  create: () => ingress,
});
