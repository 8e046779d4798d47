import { routeSettings } from '#common/model/route-settings.ts';
import { replyWarnings, refuseBadSchemas } from './ingress-replies.ts';
import type { Mode } from './mode.ts';

const settings = routeSettings
  .superRefine(refuseBadSchemas)
  .meta({ title: 'Ingress', description: 'Publishes an HTTP route.' });

/**
 * Publishes a route (docs/spec/routes.md#settings). The gateway creates the message from the request, and the node
 * passes it on unchanged.
 */
export const ingress: Mode<typeof settings> = {
  settings,
  input: false,
  ports: () => ['out'],
  warnings: replyWarnings,
  create: () => ({ run: (message) => ({ port: 'out', message }) }),
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
  ],
};
