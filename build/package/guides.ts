import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './places.ts';
import { filesOf } from './tree-files.ts';

/** The folder of the guides in a tree; `sluice --help` names it (main/cli/packaged.ts). */
export const GUIDES = 'share/doc/sluice';
/**
 * The pages that guides link to, in the same layout as in `docs/`. Pictures are omitted: they are larger than all the
 * text.
 */
const FOLDERS = ['guides', 'monitoring', 'reference', 'plugins', 'spec'];
const PICTURE = /!\[([^\]]*)\]\([^)]*\)/g;

/** The guides as plain Markdown, for a PC without other access to them. */
export function copyGuides(tree: string): void {
  for (const folder of FOLDERS) {
    for (const { path } of filesOf(join(ROOT, 'docs', folder))) {
      const hidden = path.split('/').some((name) => name.startsWith('.') || name === 'node_modules');
      if (!hidden) copyGuide(join(ROOT, 'docs', folder, path), join(tree, GUIDES, folder, path));
    }
  }
}

function copyGuide(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (from.endsWith('.md')) writeFileSync(to, packedPage(readFileSync(from, 'utf8')));
  // Grafana reads it; a third of it is white space.
  else if (from.endsWith('dashboard.json')) writeFileSync(to, JSON.stringify(JSON.parse(readFileSync(from, 'utf8'))));
  else cpSync(from, to);
}

/** Without pictures, and without the blanks that align the columns of tables: they are a tenth of the pages. */
export function packedPage(text: string): string {
  let inCode = false;
  const lines = text.replaceAll(PICTURE, '[Picture: $1]').split('\n');
  const packed = lines.map((line) => {
    if (line.trimStart().startsWith('```')) inCode = !inCode;
    return inCode || !line.startsWith('|') ? line : line.replace(/ {2,}/g, ' ').replace(/-{4,}/g, '---');
  });
  return packed.join('\n');
}
