import { bindField, bindParams, connectionField, defineKind, intoField, sqlField, writeInto, z } from '#sdk';

const settings = z.strictObject({
  connection: connectionField,
  sql: sqlField,
  params: bindField.meta({ control: 'sql-params' }),
  into: intoField,
});

const inserted = { rows: [], rowCount: 1, truncated: false };

export const sql = defineKind({
  id: 'sql',
  version: '1.0.0',
  title: 'Run SQL',
  summary: 'Runs one SQL statement and writes its result into the message.',
  category: 'database',
  settings,
  scopes: ['db:write'],
  examples: [
    {
      title: 'Store an order',
      settings: {
        sql: 'INSERT INTO orders (id, item) VALUES (:id, :item)',
        params: { id: '{{payload.body.id}}', item: '{{payload.body.item}}' },
      },
      payload: { body: { id: 4711, item: 'Cap 28 mm' } },
      answers: { 'db.sql': inserted },
      expect: { port: 'out', payload: { body: { id: 4711, item: 'Cap 28 mm' }, result: inserted } },
    },
  ],
  create: ({ connection, sql: statement, params, into }) => ({
    async run(message, { capabilities }) {
      const given = { connection, sql: statement, params: bindParams(params, message) };
      const result = await capabilities.call('db.sql', given);
      return { port: 'out', message: writeInto(message, into, result) };
    },
  }),
});
