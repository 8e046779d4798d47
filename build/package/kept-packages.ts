import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './places.ts';
import { targetName, type Target } from './target.ts';

/**
 * npm packages that remain files in the package's `node_modules`, because they load a file beside their own code:
 * native code or WebAssembly. Only the listed files are included.
 */
interface KeptPackage {
  name: string;
  /** Relative to its folder. */
  files(target: Target): readonly string[];
}

const KEPT: readonly KeptPackage[] = [
  { name: 'keytar', files: (target) => ['lib/keytar.js', `prebuilds/${targetName(target)}/keytar.node`] },
  { name: 'sql.js', files: () => ['dist/sql-wasm.js', 'dist/sql-wasm.wasm'] },
  { name: 'quickjs-wasi', files: () => ['quickjs.wasm'] },
];

export const KEPT_NAMES: readonly string[] = KEPT.map(({ name }) => name);

/** Copies them to the node_modules of `folder`, with their manifest and licence. Throws if a file is missing. */
export function copyKeptPackages(folder: string, target: Target): void {
  for (const { name, files } of KEPT) {
    const from = join(ROOT, 'node_modules', name);
    for (const file of ['package.json', licenceFile(from), ...files(target)]) {
      if (!existsSync(join(from, file)))
        throw new Error(`The npm package ${name} has no ${file}; expected it for ${targetName(target)}.`);
      cpSync(join(from, file), join(folder, 'node_modules', name, file), { recursive: true, dereference: true });
    }
  }
}

function licenceFile(folder: string): string {
  const found = readdirSync(folder).find((name) => /^licen[cs]e(\.md|\.txt)?$/i.test(name));
  if (found === undefined) throw new Error(`${folder} has no licence file; expected LICENSE or LICENSE.md.`);
  return found;
}
