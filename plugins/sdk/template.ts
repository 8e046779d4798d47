import { type Path, parsePath, readPath } from './path.ts';

/** A text with `{{path}}` places, parsed once at start. */
export type Template = readonly (string | Path)[];

const PLACE = /\{\{\s*([^{}]+?)\s*\}\}/g;

export function parseTemplate(text: string): Template {
  const parts: (string | Path)[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push(parsePath(match[1] ?? ''));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Fills a template: texts as they are, null and undefined as nothing, everything else as JSON. */
export function fillTemplate(template: Template, root: unknown): string {
  let text = '';
  for (const part of template) text += typeof part === 'string' ? part : asText(readPath(root, part));
  return text;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
