import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSlugs } from './site/slug.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Section {
  /** `keys.md#revocation` */
  readonly id: string;
  readonly text: string;
}

export interface Page {
  /** `keys.md` */
  readonly name: string;
  readonly text: string;
  /** The text below each heading of the second level. */
  readonly sections: readonly Section[];
}

/** The specification, docs/spec, in the order of its file names. */
export const PAGES: readonly Page[] = globSync('docs/spec/*.md', { cwd: ROOT })
  .toSorted()
  .map((file) => readPage(basename(file), readFileSync(join(ROOT, file), 'utf8')));

function readPage(name: string, text: string): Page {
  const anchorOf = createSlugs();
  const [, ...parts] = text.split(/^## /m);
  const sections = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { id: `${name}#${anchorOf(heading)}`, text: lines.join('\n') };
  });
  return { name, text, sections };
}

export function sectionOf(id: string): string {
  const section = PAGES.flatMap(({ sections }) => sections).find((one) => one.id === id);
  if (section === undefined) throw new Error(`docs/spec has no section ${id}`);
  return section.text;
}

/** The rows of a section's first table: its cells as written, without the head. */
export function tableOf(id: string): string[][] {
  const lines = sectionOf(id).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const rest = lines.slice(first);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(2, end < 0 ? rest.length : end).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

/** The code spans of a text. */
export function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
