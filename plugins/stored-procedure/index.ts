import { bindField, bindParams, defineKind, intoField, writeInto, z } from '#sdk';
import { expected } from '#common/errors/rules.ts';

const CONNECTION_EXPECTED = expected('database_id');
const PROCEDURE_EXPECTED = expected('form', { what: 'the name of a procedure,', example: 'dbo.book_order' });

const settings = z.strictObject({
  connection: z
    .string({ error: CONNECTION_EXPECTED })
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, CONNECTION_EXPECTED)
    .meta({
      title: 'Connection',
      control: 'connection',
      description: 'The id of a connection to PostgreSQL, MySQL, MariaDB or SQL Server.',
    }),
  procedure: z
    .string({ error: PROCEDURE_EXPECTED })
    .regex(/^[A-Za-z_][A-Za-z0-9_$]{0,127}(?:\.[A-Za-z_][A-Za-z0-9_$]{0,127}){0,2}$/, PROCEDURE_EXPECTED)
    .meta({ title: 'Procedure', description: 'Name of the procedure, with its schema if required.' }),
  params: bindField,
  into: intoField,
});

const booked = { rows: [{ total: 42 }], rowCount: 1, truncated: false };

export const storedProcedure = defineKind({
  id: 'stored-procedure',
  version: '1.0.0',
  title: 'Call stored procedure',
  summary: 'Calls a stored procedure and writes its result into the message.',
  category: 'database',
  settings,
  scopes: ['db:write'],
  examples: [
    {
      title: 'Book an order',
      settings: { connection: 'erp', procedure: 'book_order', params: { order_id: '{{payload.body.id}}' } },
      payload: { body: { id: 4711 } },
      answers: { 'db.procedure': booked },
      expect: { port: 'out', payload: { body: { id: 4711 }, result: booked } },
    },
  ],
  create: ({ connection, procedure, params, into }) => ({
    async run(message, { capabilities }) {
      const given = { connection, procedure, params: bindParams(params, message) };
      const result = await capabilities.call('db.procedure', given);
      return { port: 'out', message: writeInto(message, into, result) };
    },
  }),
});
