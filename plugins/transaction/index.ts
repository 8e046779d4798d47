import { bindField, bindParams, connectionField, defineKind, intoField, sqlField, writeInto, z } from '#sdk';
import { expected } from '#common/errors/rules.ts';

const STATEMENTS_MAX = 100;

const settings = z.strictObject({
  connection: connectionField,
  statements: z
    .array(z.strictObject({ sql: sqlField, params: bindField.meta({ control: 'sql-params' }) }), {
      error: expected('list_of', { of: 'statements' }),
    })
    .min(1, expected('one_at_least', { of: 'statement' }))
    .max(STATEMENTS_MAX, expected('count_max', { max: STATEMENTS_MAX, of: 'statements' }))
    .meta({ title: 'Statements', description: 'Run in order in one transaction: all or none.' }),
  into: intoField,
});

const changed = { rows: [], rowCount: 1, truncated: false };

export const transaction = defineKind({
  id: 'transaction',
  version: '1.0.0',
  title: 'Run transaction',
  summary:
    'Runs SQL statements in one transaction, all or none, and writes the list of their results into the message.',
  category: 'database',
  settings,
  scopes: ['db:write'],
  examples: [
    {
      title: 'Move a pallet',
      settings: {
        statements: [
          {
            sql: 'UPDATE stock SET pallets = pallets - 1 WHERE place = :from',
            params: { from: '{{payload.body.from}}' },
          },
          { sql: 'UPDATE stock SET pallets = pallets + 1 WHERE place = :to', params: { to: '{{payload.body.to}}' } },
        ],
      },
      payload: { body: { from: 'A1', to: 'B2' } },
      answers: { 'db.transaction': [changed, changed] },
      expect: { port: 'out', payload: { body: { from: 'A1', to: 'B2' }, result: [changed, changed] } },
    },
  ],
  create: ({ connection, statements, into }) => ({
    async run(message, { capabilities }) {
      const bound = statements.map(({ sql, params }) => ({ sql, params: bindParams(params, message) }));
      const results = await capabilities.call('db.transaction', { connection, statements: bound });
      return { port: 'out', message: writeInto(message, into, results) };
    },
  }),
});
