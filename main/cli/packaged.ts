import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { NODE_PROGRAM } from '#common/node/helper-program.ts';

/**
 * True when this is an installed package and not a checkout: the Node that runs us is the one that came with it, and
 * the product lies beside that (build/package/service-tree.ts).
 */
export function runsFromPackage(program: string): boolean {
  return program.endsWith(sep + NODE_PROGRAM) && existsSync(resolve(program, '..', '..', 'app', 'service.js'));
}
