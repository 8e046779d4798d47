import { bindField, bindParams, defineKind, intoField, writeInto, z } from '#sdk';
import { expected } from '#common/errors/rules.ts';

const QUERY_EXPECTED = expected('form', { what: 'the id of a named query,', example: 'order-by-id' });

const settings = z.strictObject({
  query: z
    .string({ error: QUERY_EXPECTED })
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, QUERY_EXPECTED)
    .meta({ title: 'Query', control: 'query', description: 'The id of a named query of the project.' }),
  params: bindField.meta({ control: 'params' }),
  into: intoField,
});

const found = { rows: [{ id: 4711, state: 'open' }], rowCount: 1, truncated: false };

export const namedQuery = defineKind({
  id: 'named-query',
  version: '1.0.0',
  title: 'Run named query',
  summary: 'Runs a named query of the project and writes its rows into the message.',
  category: 'database',
  settings,
  scopes: ['db:read'],
  examples: [
    {
      title: 'Look up an order',
      settings: { query: 'order-by-id', params: { id: '{{payload.params.id}}' } },
      payload: { params: { id: '4711' } },
      answers: { 'db.query': found },
      expect: { port: 'out', payload: { params: { id: '4711' }, result: found } },
    },
    {
      title: 'Write the rows to another path',
      settings: { query: 'open-orders', into: 'payload.body' },
      payload: { body: null },
      answers: { 'db.query': found },
      expect: { port: 'out', payload: { body: found } },
    },
  ],
  create: ({ query, params, into }) => ({
    async run(message, { capabilities }) {
      const result = await capabilities.call('db.query', { name: query, params: bindParams(params, message) });
      return { port: 'out', message: writeInto(message, into, result) };
    },
  }),
});
