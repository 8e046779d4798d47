/** Strings, quoted names, comments and casts in SQL, in which a `:name` is not a parameter. */
const NOT_CODE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::/g;
const PARAMETER = /:([A-Za-z_][A-Za-z0-9_]{0,62})/g;

/** The parameters of a statement without duplicates, in order of appearance. */
export function sqlParameters(sql: string): string[] {
  const code = sql.replaceAll(NOT_CODE, ' ');
  return [...new Set([...code.matchAll(PARAMETER)].map(([, name = '']) => name))];
}
