/** Texts, quoted names, comments and casts of SQL, in which a `:name` is none. */
const NOT_CODE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::/g;
const PARAMETER = /:([A-Za-z_][A-Za-z0-9_]{0,62})/g;

/** The parameters of a statement, each once, in the order in which they come. */
export function sqlParameters(sql: string): string[] {
  const code = sql.replaceAll(NOT_CODE, ' ');
  return [...new Set([...code.matchAll(PARAMETER)].map(([, name = '']) => name))];
}
