import { posix } from 'node:path';
import type { Entries } from './entries.ts';

/** Folders of files that are read unchanged, with their place in the package beside `app/`. */
export const DATA_FOLDERS = {
  'renderer/dist': 'renderer/dist',
  'docs/samples': 'docs/samples',
  'dist/docs': 'share/doc/sluice/html',
} as const;

/** References that a bundler leaves unchanged: to a file beside the source that names it. */
const BESIDE = /new URL\(\s*(?<quote>['"`])(?<path>\.{1,2}\/[^'"`]*)\k<quote>,\s*import\.meta\.url,?\s*\)/g;
const OTHER_USE = /import\.meta\.(?!url\b|resolve\()/;

/**
 * `code` of `file` (relative to the project) with each `new URL('./thread.ts', import.meta.url)` pointing to where the
 * package has that file: an entry is beside the bundle, a data folder is beside `app/`. Throws if the package would
 * lack it: this way the build fails, instead of a thread on a customer's PC.
 */
export function pointIntoPackage(code: string, file: string, entries: Entries): string {
  const names = new Map(Object.entries(entries).map(([name, source]) => [source, name]));
  const pointed = code.replace(BESIDE, (_match, quote: string, path: string) => {
    const target = posix.join(posix.dirname(file), path);
    const name = names.get(target);
    if (name !== undefined) return `new URL('./${name}.js', import.meta.url)`;
    for (const [folder, packed] of Object.entries(DATA_FOLDERS)) {
      if (target === folder || target.startsWith(`${folder}/`))
        return `new URL(${quote}../${packed}${target.slice(folder.length)}${quote}, import.meta.url)`;
    }
    throw new Error(
      `${file} names ${path} by its place. Expected an entry of the package (build/package/entries.ts) or a file in ${Object.keys(DATA_FOLDERS).join(' or ')}.`,
    );
  });
  refuseOtherUses(pointed, file);
  return pointed;
}

function refuseOtherUses(code: string, file: string): void {
  const uses = code.split('import.meta.url').length - 1;
  const understood = [...code.matchAll(/new URL\((['"`])\.{1,2}\/[^'"`]*\1, import\.meta\.url\)/g)].length;
  const other = OTHER_USE.exec(code);
  if (uses === understood && other === null) return;
  throw new Error(
    `${file} uses import.meta in a way that a package cannot follow; expected new URL('./…', import.meta.url).`,
  );
}
