import { z } from 'zod';
import { projectId } from './ids.ts';
import { expected } from '../errors/rules.ts';
import { numberFrom, textUpTo } from './bounds.ts';

/**
 * Named queries: SQL with typed parameters (`:name`), always bound and never concatenated
 * (docs/spec/nodes.md#databases).
 */
export const QUERIES_PER_PROJECT_MAX = 1_000;
export const QUERY_ROWS_MAX = 10_000;
export const SQL_CHARS_MAX = 65_536;
export const QUERY_PARAMS_MAX = 100;

export const PARAM_TYPES = ['text', 'integer', 'number', 'boolean', 'timestamp', 'json', 'bytes'] as const;
export type ParamType = (typeof PARAM_TYPES)[number];

const SQL_EXPECTED = expected('length', { from: 1, to: SQL_CHARS_MAX });
export const sqlText = z.string({ error: SQL_EXPECTED }).min(1, SQL_EXPECTED).max(SQL_CHARS_MAX, SQL_EXPECTED);

const NAME_EXPECTED = expected('form', { what: 'a name', example: 'orderId' });
export const paramName = z.string({ error: NAME_EXPECTED }).regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, NAME_EXPECTED);

const whole = (min: number, max: number, expected: string) =>
  z.number({ error: expected }).int(expected).min(min, expected).max(max, expected);

export const namedQuery = z.strictObject({
  id: projectId,
  description: textUpTo(512).default(''),
  connection: projectId.default('embedded'),
  sql: sqlText,
  params: z
    .array(
      z.strictObject({
        name: paramName,
        type: z.enum(PARAM_TYPES, { error: expected('one_of', { values: PARAM_TYPES }) }).default('text'),
        /** May be absent or null, which binds NULL. */
        optional: z.boolean({ error: expected('true_or_false') }).default(false),
      }),
    )
    .max(QUERY_PARAMS_MAX, expected('count_max', { max: QUERY_PARAMS_MAX, of: 'parameters' }))
    .default([]),
  rowsMax: whole(1, QUERY_ROWS_MAX, expected('range', { what: 'rows', from: 1, to: QUERY_ROWS_MAX })).default(1_000),
  timeout: numberFrom('seconds', 0.1, 300).default(10),
});

export type NamedQuery = z.infer<typeof namedQuery>;

/** `rowCount` is the number of rows that were returned, or changed if the statement returns no rows. */
export interface QueryResult {
  rows: Record<string, unknown>[];
  rowCount: number;
  /** True: there were more rows than the limit. */
  truncated: boolean;
}
