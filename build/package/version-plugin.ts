import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { ROOT } from './places.ts';

/**
 * Embeds the version in a package, which does not contain package.json of the sources; that of a snapshot includes its
 * commit.
 */
export function versionPlugin(version: string): Plugin {
  const source = join(ROOT, 'common/version.ts');
  return {
    name: 'version',
    load: (id) =>
      id === source ? { code: `export const VERSION = ${JSON.stringify(version)};`, moduleType: 'js' } : null,
  };
}
