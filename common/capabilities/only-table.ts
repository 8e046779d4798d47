/**
 * The table of a statement, for rights: a statement counts only if its whole text has one of the forms below, in which
 * no database can do anything but change that table. They have no functions, subqueries, comments, quoted names or
 * second statements; texts have no backslash, which ends a text in some databases and not in others.
 *
 *   INSERT INTO t (a, b) VALUES (value, …), …
 *   UPDATE t SET a = value, b = b + value WHERE …
 *   DELETE FROM t WHERE a = value AND b IS NULL …
 *
 * A value is `:param`, a number, a text, NULL, TRUE, FALSE or DEFAULT. Security: fails closed, null for anything else.
 */
const NAME = String.raw`[A-Za-z_]\w{0,127}`;
const TABLE = String.raw`(${NAME}(?:\.${NAME}){0,2})`;
const VALUE = String.raw`(?::[A-Za-z_]\w*|-?\d+(?:\.\d+)?|'[^'\\]*'|null|true|false|default)`;
const COMMA = String.raw`\s*,\s*`;
const VALUES = String.raw`\(\s*${VALUE}(?:${COMMA}${VALUE})*\s*\)`;
const SET = String.raw`${NAME}\s*=\s*(?:${VALUE}|${NAME}\s*[-+*/]\s*${VALUE})`;
const TEST = String.raw`${NAME}\s*(?:(?:=|<>|<=|>=|<|>)\s*${VALUE}|\s+is\s+(?:not\s+)?null)`;
const WHERE = String.raw`(?:\s+where\s+${TEST}(?:\s+and\s+${TEST})*)?`;
const FORMS = [
  String.raw`insert\s+into\s+${TABLE}\s*\(\s*${NAME}(?:${COMMA}${NAME})*\s*\)\s*values\s*${VALUES}(?:${COMMA}${VALUES})*`,
  String.raw`update\s+${TABLE}\s+set\s+${SET}(?:${COMMA}${SET})*${WHERE}`,
  String.raw`delete\s+from\s+${TABLE}${WHERE}`,
].map((form) => new RegExp(String.raw`^\s*${form}\s*;?\s*$`, 'i'));
const SQL_CHARS_MAX = 10_000;

/** As written: a name with other upper or lower case is another thing. */
export function onlyTableOf(sql: string): string | null {
  if (sql.length > SQL_CHARS_MAX || sql.includes('--')) return null;
  // Also within texts, whose content does not matter here; runs of blanks would cost quadratic time.
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  for (const form of FORMS) {
    const table = form.exec(text)?.[1];
    if (table !== undefined) return table;
  }
  return null;
}
