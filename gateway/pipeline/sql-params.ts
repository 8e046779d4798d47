import { z } from 'zod';
import type { CheckFinding } from '#common/model/pipeline.ts';
import { type Dialect, DIALECTS, scanSql } from '../capabilities/db/sql/scan.ts';
import type { ReadNode } from './read.ts';

/**
 * Values that do not fit the named parameters of their SQL: such a statement always fails. The connection, and with it
 * the dialect, may change later, so only errors in every dialect count. `NAMED_MAX` are named per statement.
 */
const NAMED_MAX = 3;

const statement = z.object({ sql: z.string(), params: z.record(z.string(), z.unknown()) });
const transaction = z.object({ statements: z.array(statement) });

export function sqlParamWarnings({ id, kind, settings }: Pick<ReadNode, 'id' | 'kind' | 'settings'>): CheckFinding[] {
  if (kind.id === 'sql') {
    const { success, data } = statement.safeParse(settings);
    return success ? findingsOf(data, id, 'settings.params') : [];
  }
  if (kind.id !== 'transaction') return [];
  const { success, data } = transaction.safeParse(settings);
  if (!success) return [];
  return data.statements.flatMap((one, index) => findingsOf(one, id, `settings.statements.${index}.params`));
}

function findingsOf({ sql, params }: z.infer<typeof statement>, node: string, field: string): CheckFinding[] {
  const byDialect = DIALECTS.map((dialect) => namesIn(sql, dialect)).filter((names) => names !== null);
  const [first, ...others] = byDialect;
  if (first === undefined) return [];
  const needed = [...first].filter((name) => others.every((names) => names.has(name)));
  const missing = needed.filter((name) => !Object.hasOwn(params, name));
  const surplus = Object.keys(params).filter((name) => byDialect.every((names) => !names.has(name)));
  const at = { node, field };
  return [
    ...missing.map((name) => ({
      ...at,
      code: 'param_missing',
      message: `the parameter "${name}" of the SQL has no value; expected one`,
    })),
    ...surplus.map((name) => ({
      ...at,
      code: 'param_unknown',
      message: `there is a value for "${name}", but the SQL has no such parameter`,
    })),
  ].slice(0, NAMED_MAX);
}

/** Null: the text is not SQL of this dialect. */
function namesIn(sql: string, dialect: Dialect): ReadonlySet<string> | null {
  try {
    return new Set(scanSql(sql, dialect).pieces.flatMap((piece) => ('param' in piece ? [piece.param] : [])));
  } catch {
    return null;
  }
}
