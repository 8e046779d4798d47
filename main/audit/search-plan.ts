import { parseCidr } from '#common/cidr.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditFilter } from '../contracts.ts';
import { addressCondition, findConditions, type Condition } from './search-terms.ts';

/** `base` and the times use an index, `rest` filters the rows that the index returns. */
export interface SearchPlan {
  /** Milliseconds, both inclusive; null: open. */
  from: number | null;
  to: number | null;
  base: Condition;
  rest: Condition;
}

export function planOf(filter: AuditFilter): SearchPlan {
  const { keyId, code, requestId, thing } = filter;
  const base: Condition[] = [];
  if (requestId !== undefined)
    base.push({ sql: '(rows.request = ? OR rows.client_request = ?)', values: [requestId, requestId] });
  if (keyId !== undefined) base.push({ sql: 'rows.key = ?', values: [keyId] });
  if (thing !== undefined) base.push({ sql: 'rows.thing = ?', values: [thing] });
  if (code !== undefined) base.push({ sql: 'rows.code = ?', values: [code] });
  return {
    ...timesOf(filter),
    base: joined(base),
    rest: joined([...sharedConditions(filter), ...facetConditions(filter)]),
  };
}

/** For counts: without the filters that each facet ignores (summary.ts). */
export function countPlanOf(filter: AuditFilter): SearchPlan {
  const rest = [{ sql: 'kinds.outcome IS NOT NULL', values: [] }, ...sharedConditions(filter)];
  if (filter.code !== undefined) rest.push({ sql: 'kinds.code = ?', values: [filter.code] });
  if (filter.requestId !== undefined)
    rest.push({ sql: '(rows.request = ? OR rows.client_request = ?)', values: [filter.requestId, filter.requestId] });
  if (filter.thing !== undefined) rest.push({ sql: 'rows.thing = ?', values: [filter.thing] });
  return { ...timesOf(filter), base: joined([]), rest: joined(rest) };
}

/** The refusal of a run with a key is in its outcome, so a search for refusals includes those too. */
const REFUSED =
  "(kinds.type = 'refusal' OR (kinds.type = 'outcome' AND kinds.code IS NOT NULL AND kinds.code <> 'preflight'))";

function timesOf({ from, to }: AuditFilter): Pick<SearchPlan, 'from' | 'to'> {
  return {
    from: from === undefined ? null : instant('from', from),
    to: to === undefined ? null : instant('to', to),
  };
}

function sharedConditions({ project, type, find }: AuditFilter): Condition[] {
  const conditions: Condition[] = [];
  if (project !== undefined) conditions.push({ sql: 'kinds.project = ?', values: [project] });
  if (type === 'refusal') conditions.push({ sql: REFUSED, values: [] });
  else if (type !== undefined) conditions.push({ sql: 'kinds.type = ?', values: [type] });
  if (find !== undefined) conditions.push(...findConditions(find));
  return conditions;
}

function facetConditions({ route, address, outcome }: AuditFilter): Condition[] {
  const conditions: Condition[] = [];
  if (route !== undefined) conditions.push({ sql: 'kinds.route = ?', values: [route] });
  if (address !== undefined) conditions.push(addressCondition(expectAddress(address)));
  if (outcome !== undefined) conditions.push({ sql: 'kinds.outcome = ?', values: [outcome] });
  return conditions;
}

/** The condition that every row meets. */
export const ALWAYS = '1';

function joined(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length === 0 ? ALWAYS : conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

export function instant(field: string, text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw invalid(field, 'expected a time such as 2026-03-01T06:00:00Z');
}

export function expectAddress(text: string): string {
  if (parseCidr(text) !== null) return text;
  throw invalid('address', 'expected an address such as 10.20.0.7 or a range such as 10.20.0.0/16');
}

export function invalid(path: string, message: string): SluiceError {
  return new SluiceError('invalid', `${path}: ${message}`, { errors: [{ path, message }] });
}
