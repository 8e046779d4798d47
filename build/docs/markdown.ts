/** Helpers for Markdown. Prettier formats the pages afterwards, so widths and blank lines do not matter here. */

/** Text in a table cell: one line, without characters that end the cell or are markup. */
export function cell(text: string): string {
  return escaped(text.replaceAll(/\s+/g, ' ').trim());
}

/** A value as code in a table cell. */
export function code(text: string): string {
  const safe = text.replaceAll('|', '\\|');
  return text.includes('`') ? `\`\` ${safe} \`\`` : `\`${safe}\``;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Prose from a declaration: stars, underscores, brackets and the braces of a template are escaped. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\|*_<[\]`]/g, '\\$&');
}
