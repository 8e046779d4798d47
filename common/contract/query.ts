import { z } from 'zod';
import { SCHEMA_COLUMNS_MAX } from '../model/database-schema.ts';
import { namedQuery, paramName } from '../model/named-query.ts';
import { declareCall } from './declaration.ts';
import { draftedContract, draftField } from './drafted.ts';
import { numberIn } from '../errors/interpolate.ts';
import { expected } from '../errors/rules.ts';

/**
 * Named queries. A test executes the given SQL with the user's values bound, including any changes that it makes. For a
 * user who may not activate the query, it runs in a mode in which the database refuses changes.
 */
const QUERIES = '/projects/:project/queries';

const params = z
  .record(paramName, z.unknown(), {
    error: expected('form', { what: 'an object of parameters,', example: '{ "orderId": 7 }' }),
  })
  .default({});
const queryResult = z.strictObject({
  rows: z.array(z.record(z.string(), z.unknown())),
  rowCount: z.number(),
  truncated: z.boolean(),
});

const TAKES_EFFECT =
  'Its SQL takes effect, so a statement that writes does write. Without the permission `run_pipelines`, or without those that the query needs to take effect, it runs read-only: a statement that writes is refused by the database, and SQL Server is not asked.';

/** Named queries as resources of a project. */
export const queriesContract = draftedContract({
  family: 'queries',
  what: 'query',
  title: 'named query',
  plural: 'named queries',
  schema: namedQuery,
  saved: namedQuery.extend(draftField),
});

export const queryContract = {
  schema: declareCall({
    method: 'get',
    path: '/projects/:project/connections/:connection/schema',
    access: 'edit_pipelines',
    summary: 'Read the tables of a database',
    description: `Lists tables and views with their columns, at most ${numberIn(SCHEMA_COLUMNS_MAX, 'en')} columns. The connection \`embedded\` is the database of the project.`,
    response: z.strictObject({
      tables: z.array(
        z.strictObject({
          schema: z.string().nullable().meta({ description: 'Null: the table can be named without a schema.' }),
          name: z.string(),
          columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
        }),
      ),
      truncated: z.boolean().meta({ description: 'True: more columns exist.' }),
    }),
  }),
  testDraft: declareCall({
    method: 'post',
    path: `${QUERIES}/test`,
    access: 'edit_pipelines',
    audit: ['query.test'],
    summary: 'Test query settings',
    description: `Runs a named query that is not saved with the given parameters. ${TAKES_EFFECT}`,
    body: z.strictObject({ query: namedQuery, params }),
    response: queryResult,
  }),
  test: declareCall({
    method: 'post',
    path: `${QUERIES}/:query/test`,
    access: 'edit_pipelines',
    audit: ['query.test'],
    summary: 'Test a named query',
    description: `Runs a saved query once with the given parameters. ${TAKES_EFFECT}`,
    body: z.strictObject({ params }),
    response: queryResult,
  }),
};
