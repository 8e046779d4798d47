/** A text between single quotes in IEC 61131-3: `$` and `'` are escaped with `$`, and a line ends with `$R$N`. */
export function iecText(plain: string): string {
  return `'${plain.replaceAll(/[$']/g, '$$$&').replaceAll('\r\n', '$R$N')}'`;
}

/** One byte per character: non-ASCII characters become JSON escapes. */
export function asciiJson(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The declaration of a text, long enough for its value. */
export function iecVariable(name: string, value: string): string {
  return `  ${name} : STRING(${Math.max(1, value.length)}) := ${iecText(value)};`;
}
