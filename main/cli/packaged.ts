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

/** The path of a file in the package, relative to its Node. */
export function packagedFile(program: string, path: string): string {
  return resolve(program, '..', '..', path);
}

/** The folder of the guides: in the package, or, null, in the sources. */
export function guidesFolder(program: string): string | null {
  return runsFromPackage(program) ? packagedFile(program, 'share/doc/sluice') : null;
}
