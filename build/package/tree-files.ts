import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** A file of a tree: its path from the tree's root, with `/`, and its size. */
export interface TreeFile {
  path: string;
  bytes: number;
}

export function filesOf(folder: string): TreeFile[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(folder, file).replaceAll(sep, '/'), bytes: statSync(file).size }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Every type of file that is allowed in a package, part by part. The first match counts. */
const KINDS: readonly { part: string; fits: RegExp }[] = [
  { part: 'Node runtime', fits: /^runtime\/(node|node\.exe|LICENSE)$/ },
  { part: 'product', fits: /^app\/[\w.-]+\.js$/ },
  { part: 'kept npm packages', fits: /^node_modules\/(@[\w-]+\/)?[\w.-]+\/(package\.json|LICENSE(\.md|\.txt)?)$/ },
  { part: 'kept npm packages', fits: /^node_modules\/keytar\/(lib\/keytar\.js|prebuilds\/[\w-]+\/keytar\.node)$/ },
  { part: 'kept npm packages', fits: /^node_modules\/sql\.js\/dist\/sql-wasm\.(js|wasm)$/ },
  { part: 'kept npm packages', fits: /^node_modules\/quickjs-wasi\/quickjs\.wasm$/ },
  { part: 'admin UI', fits: /^renderer\/dist\/(index\.html|sluice\.svg|licenses\.txt)$/ },
  { part: 'admin UI', fits: /^renderer\/dist\/assets\/[\w.-]+\.(js|css|woff2?|svg|png)$/ },
  { part: 'sample projects', fits: /^docs\/samples\/[\w-]+\.json$/ },
  {
    part: 'guides',
    fits: /^share\/doc\/sluice\/(guides|monitoring|reference|plugins|spec)\/([\w-]+\/)*[\w.-]+\.(md|ts|js|json|yml|java|mjs|py)$/,
  },
  { part: 'guides', fits: /^share\/doc\/sluice\/monitoring\/[\w-]+\.(yml|json)$/ },
  {
    part: 'documentation',
    fits: /^share\/doc\/sluice\/html\/([\w-]+\/)*[\w.-]+\.(html|css|js|woff2|svg|png)$/,
  },
  { part: 'documentation', fits: /^share\/doc\/sluice\/html\/licenses\.txt$/ },
  {
    part: 'papers',
    fits: /^(package\.json|LICENSE|THIRD-PARTY-LICENSES\.txt|README\.md|sluice|sluice\.service|update-key\.pem)$/,
  },
];

/** Null: files of this type are not allowed in a package. */
export function partOf(path: string): string | null {
  return KINDS.find(({ fits }) => fits.test(path))?.part ?? null;
}

/** Throws with the names of files that are not allowed in a package. */
export function refuseStrangers(files: readonly TreeFile[]): void {
  const strangers = files.filter(({ path }) => partOf(path) === null).map(({ path }) => path);
  if (strangers.length === 0) return;
  const named = strangers.slice(0, 10).join(', ');
  throw new Error(`${strangers.length} files do not belong into a package (build/package/tree-files.ts): ${named}`);
}

/** One line per part, largest first, and the total. */
export function sizeTable(files: readonly TreeFile[]): string {
  const parts = Map.groupBy(files, ({ path }) => partOf(path) ?? 'other');
  const rows = [...parts].map(([part, of]) => ({ part, count: of.length, bytes: sum(of) }));
  const total = { part: 'total', count: files.length, bytes: sum(files) };
  const lines = [...rows.toSorted((a, b) => b.bytes - a.bytes), total].map(row);
  return ['part                 files         size', ...lines, ''].join('\n');
}

const sum = (files: readonly TreeFile[]): number => files.reduce((bytes, file) => bytes + file.bytes, 0);

function row({ part, count, bytes }: { part: string; count: number; bytes: number }): string {
  return `${part.padEnd(18)} ${String(count).padStart(7)} ${(bytes / 1024 ** 2).toFixed(2).padStart(8)} MiB`;
}
