import { globSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A Markdown file that becomes a page. Paths have `/` on every system. */
export interface Source {
  /** Relative to the repository's root: `docs/guides/install.md`. */
  file: string;
  /** Relative to the site's root: `guides/install.html`. */
  path: string;
  /** Its first heading, without Markdown. */
  title: string;
  text: string;
}

/** Every document below docs/, and the changelog, sorted by path. */
export function readSources(root: string = ROOT): Source[] {
  const files = [...globSync('docs/**/*.md', { cwd: root }), ...globSync('CHANGELOG.md', { cwd: root })];
  return files
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => !file.split('/').includes('node_modules'))
    .toSorted()
    .map((file) => sourceOf(file, readFileSync(join(root, file), 'utf8')));
}

export function sourceOf(file: string, text: string): Source {
  return { file, path: pagePath(file), title: titleOf(file, text), text };
}

/** `docs/guides/install.md` → `guides/install.html`. */
export function pagePath(file: string): string {
  return sitePath(file).replace(/\.md$/, '.html');
}

/** The path of a repository file in the site: below docs/ the same path, otherwise at the top. */
export function sitePath(file: string): string {
  return file.startsWith('docs/') ? file.slice('docs/'.length) : posix.basename(file);
}

function titleOf(file: string, text: string): string {
  const heading = /^# (.+)$/m.exec(text)?.[1];
  if (heading === undefined) throw new Error(`${file} has no title; expected a line such as "# Install".`);
  return heading.replaceAll(/[`*\\]/g, '').trim();
}
