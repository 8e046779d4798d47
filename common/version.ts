import manifest from '../package.json' with { type: 'json' };

/**
 * The release, such as `1.1.0`. package.json is its only source: `npm version 1.2.0 --no-git-tag-version` sets it there
 * and in the lock file. Packages embed it (build/package/version-plugin.ts).
 */
export const VERSION: string = manifest.version;
