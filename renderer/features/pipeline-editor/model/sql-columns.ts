/** Texts and comments, in which commas and words have no meaning. */
const TEXTS = /'(?:[^']|'')*'/g;
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const LIST = /\b(?:select(?:\s+distinct)?|returning)\s+([\s\S]*?)(?:\bfrom\b|\bwhere\b|\border\s+by\b|;|$)/i;
const NAME = /(?:\bas\s+)?(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([A-Za-z_]\w*))\s*$/i;
const CHARS_MAX = 10_000;
/** At the end of an entry, where the name of its column is: a search from every character of a long one takes seconds. */
const ENTRY_CHARS_MAX = 200;

/** The column names of a statement; empty if it contains `*`, or is more than a plain list. */
export function sqlColumns(sql: string): string[] {
  const code = sql.slice(0, CHARS_MAX).replaceAll(TEXTS, "''").replaceAll(COMMENTS, ' ');
  const [, list = ''] = LIST.exec(code) ?? [];
  const columns = entriesOf(list).map((entry) =>
    NAME.exec(entry.slice(-ENTRY_CHARS_MAX))
      ?.slice(1)
      .find((name) => name !== undefined),
  );
  return columns.every((name) => name !== undefined) ? [...new Set(columns)] : [];
}

/** Splits at commas outside of brackets. */
function entriesOf(list: string): string[] {
  const entries = [''];
  let depth = 0;
  for (const sign of list) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) entries.push('');
    else entries[entries.length - 1] += sign;
  }
  return entries.map((entry) => entry.trim());
}
