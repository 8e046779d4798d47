import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { ROOT } from './places.ts';

/** Builds the version into a package, which has no package.json of the sources; a snapshot's has its commit in it. */
export function versionPlugin(version: string): Plugin {
  const source = join(ROOT, 'common/version.ts');
  return {
    name: 'version',
    load: (id) =>
      id === source ? { code: `export const VERSION = ${JSON.stringify(version)};`, moduleType: 'js' } : null,
  };
}
