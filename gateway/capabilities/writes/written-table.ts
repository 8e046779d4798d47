/** Statements that begin with these words change nothing, unless a table follows `into`. */
const READS = /^(?:select|show|explain|describe|desc|values|table)\b/i;
const WITH = /^with\b/i;
const LEADING_COMMENTS = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*(?!M?!)(?:[^*]|\*(?!\/))*\*\/)+/;
const NAME = String.raw`((?:[\w$\u0080-\uffff]+|"[^"]+"|\[[^\]]+\]|\x60[^\x60]+\x60)(?:\.(?:[\w$\u0080-\uffff]+|"[^"]+"|\[[^\]]+\]|\x60[^\x60]+\x60)){0,2})`;
const CHANGES = new RegExp(
  String.raw`\b(?:(?:insert(?:\s+or\s+\w+)?|merge|replace)\s+into|delete\s+from|truncate\s+table|update(?:\s+or\s+\w+)?)\s+${NAME}`,
  'i',
);
const SELECT_INTO = new RegExp(String.raw`\binto\s+${NAME}`, 'i');
const QUOTES = /["[\]\x60]/g;
const SQL_SCANNED_MAX = 10_000;

/**
 * The table that a statement changes: its name, `''` if it is not known, null for a statement that only reads. For the
 * journal, not for rights: it reads words and does not parse SQL. Functions with side effects in a SELECT are not seen.
 */
export function writtenTable(sql: string): string | null {
  const text = sql.slice(0, SQL_SCANNED_MAX).replace(LEADING_COMMENTS, '');
  const reads = READS.test(text);
  const table = (reads ? SELECT_INTO : CHANGES).exec(text)?.[1];
  if (table !== undefined) return table.replace(QUOTES, '').toLowerCase();
  return reads || WITH.test(text) ? null : '';
}
