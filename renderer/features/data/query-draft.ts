import type { NamedQuery, ParamType } from '#common/model/named-query.ts';
import { numberOr } from './tag-fields.ts';
import { jsonValue } from './written-value.ts';

export const PARAM_TYPES = [
  'text',
  'integer',
  'number',
  'boolean',
  'timestamp',
  'json',
  'bytes',
] as const satisfies readonly ParamType[];

/** A named query in its form: numbers as typed. */
export type QueryDraft = Omit<NamedQuery, 'rowsMax' | 'timeout'> & { rowsMax: string; timeout: string };
export type Param = NamedQuery['params'][number];

const NEW: QueryDraft = {
  id: '',
  description: '',
  connection: 'embedded',
  sql: '',
  params: [],
  rowsMax: '1000',
  timeout: '10',
};

export function draftOf(query: NamedQuery | null): QueryDraft {
  if (query === null) return NEW;
  const { id, description, connection, sql, params, rowsMax, timeout } = query;
  return { id, description, connection, sql, params, rowsMax: String(rowsMax), timeout: String(timeout) };
}

/** The request body. An invalid number is sent as it was typed, and the response names the field. */
export function queryOf(draft: QueryDraft): NamedQuery {
  const { rowsMax, timeout, ...rest } = draft;
  return { ...rest, id: draft.id.trim(), rowsMax: numberOr(rowsMax) as number, timeout: numberOr(timeout) as number };
}

export function isChanged(query: NamedQuery | null, draft: QueryDraft): boolean {
  return JSON.stringify(queryOf(draftOf(query))) !== JSON.stringify(queryOf(draft));
}

/** The list with the entry at `from` moved by one position; unchanged at either end. */
export function movedParam(params: readonly Param[], from: number, by: 1 | -1): Param[] {
  const next = [...params];
  const moved = next[from];
  if (moved === undefined || from + by < 0 || from + by >= next.length) return next;
  next.splice(from, 1);
  next.splice(from + by, 0, moved);
  return next;
}

/** Names after a colon in the SQL without a parameter: outside quotes and comments, and not in a cast (`::`). */
export function missingParams({ sql, params }: Pick<QueryDraft, 'sql' | 'params'>): string[] {
  const bare = sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  const named = [...bare.matchAll(/(?<![:\w]):([A-Za-z_]\w{0,62})/g)].map((match) => match[1] ?? '');
  const known = new Set(params.map(({ name }) => name));
  return [...new Set(named)].filter((name) => !known.has(name));
}

/** Values for a test run in the form of the call: an empty field of an optional parameter is NULL, of a text is "". */
export function testParams(
  params: readonly Param[],
  texts: Readonly<Record<string, string>>,
): { kind: 'params'; params: Record<string, unknown> } | { kind: 'not-json'; name: string } {
  const values: Record<string, unknown> = {};
  for (const { name, type, optional } of params) {
    const text = texts[name] ?? '';
    if (text === '' && (optional || type !== 'text')) values[name] = null;
    else if (type === 'json') {
      const read = jsonValue(text);
      if (read.kind !== 'value') return { kind: 'not-json', name };
      values[name] = read.value;
    } else values[name] = text;
  }
  return { kind: 'params', params: values };
}
