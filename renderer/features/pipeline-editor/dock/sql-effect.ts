/**
 * Whether a statement changes data, by its first word. In doubt it may: a comment that MySQL executes, a second
 * statement, a common table expression, SELECT … INTO.
 */
export type SqlEffect = 'reads' | 'writes' | 'may-write';

const READS: ReadonlySet<string> = new Set(['select', 'values', 'table', 'show', 'explain', 'describe', 'desc']);
const WRITES: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'merge',
  'replace',
  'truncate',
  'create',
  'alter',
  'drop',
]);
const LINE_COMMENT = /^\s*--[^\n]*(?:\n|$)/;
const COMMENT = /^\s*\/\*(?!M?!)[^*]*\*+(?:[^/*][^*]*\*+)*\//;
const SECOND_STATEMENT = /;\s*\S/;
/** Also inside a text or a name: then a read-only statement is reported as possibly writing, which is safe. */
const MAY_CHANGE = /\binto\b|\b(?:insert|update|delete|merge)\b|\/\*M?!|\bfor\s+(?:update|share)\b/i;

export function sqlEffect(sql: string): SqlEffect {
  const text = withoutLeadingComments(sql);
  const keyword = /^\s*([A-Za-z]+)/.exec(text)?.[1]?.toLowerCase() ?? '';
  if (WRITES.has(keyword)) return 'writes';
  const isReading = READS.has(keyword) && !SECOND_STATEMENT.test(text) && !MAY_CHANGE.test(text);
  // EXPLAIN ANALYZE of PostgreSQL executes the statement, which MAY_CHANGE detects.
  return isReading ? 'reads' : 'may-write';
}

function withoutLeadingComments(sql: string): string {
  let text = sql;
  for (;;) {
    const found = LINE_COMMENT.exec(text) ?? COMMENT.exec(text);
    if (found === null) return text;
    text = text.slice(found[0].length);
  }
}
