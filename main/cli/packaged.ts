import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { NODE_PROGRAM } from '#common/node/helper-program.ts';

/**
 * True when this is an installed package and not a checkout: it runs in the Node of the package, and the product is
 * beside that (build/package/service-tree.ts).
 */
export function runsFromPackage(program: string): boolean {
  return program.endsWith(sep + NODE_PROGRAM) && existsSync(packagedFile(program, 'app/service.js'));
}

/** Where the package has a file, as seen from its Node. */
export function packagedFile(program: string, path: string): string {
  return resolve(program, '..', '..', path);
}

/** Where the guides lie: in the package, or, null, in the sources. */
export function guidesFolder(program: string): string | null {
  return runsFromPackage(program) ? packagedFile(program, 'share/doc/sluice') : null;
}
