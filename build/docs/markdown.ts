/** Small pieces of Markdown. Prettier lays the pages out afterwards, so widths and blank lines do not matter here. */

/** Text in a table cell: one line, nothing in it ends the cell or becomes markup. */
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

/** Prose from a declaration: a star, an underscore, a bracket or a template's braces stand for themselves. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\|*_<[\]`]/g, '\\$&');
}
