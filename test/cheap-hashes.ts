import { join } from 'node:path';
import { ROOT } from '#test/paths.ts';

/** A plugin of Rolldown and of Vite. */
export interface CheapHashes {
  readonly name: string;
  /** Vite removes the types, and with them the form of the source, after this plugin. */
  readonly enforce: 'pre';
  transform(code: string, id: string): { code: string; map: null } | null;
}

/** File → the cost in its source, and the one that takes a millisecond. */
const COSTS: Readonly<Record<string, readonly [cost: string, cheap: string]>> = {
  'main/people/password.ts': ['{ n: 2 ** 15, r: 8, p: 3 }', '{ n: 2 ** 10, r: 8, p: 1 }'],
  // Only where the key is derived: the constant is compared with the specification.
  'main/vault/backup-cipher.ts': ['salt, 32, SCRYPT,', 'salt, 32, { ...SCRYPT, N: 2 ** 10 },'],
};

/**
 * `npm test` hashes passwords and passphrases cheaply, in the bundled programs and in the tests: the product takes 0.2 s
 * of a core for a password and 0.6 s for the passphrase of a backup, and hundreds of tests have one. Both costs are
 * tested on the sources (main/people/limits.test.ts, main/vault/backup-cipher.test.ts). The hash of a password contains
 * its parameters, so data of releases can be read; a backup that a package wrote cannot.
 */
export function cheapHashes(): CheapHashes {
  return {
    name: 'cheap-hashes',
    enforce: 'pre',
    transform(code, id) {
      const file = Object.keys(COSTS).find((path) => id === join(ROOT, path));
      if (file === undefined) return null;
      const [cost = '', cheap = ''] = COSTS[file] ?? [];
      if (!code.includes(cost)) throw new Error(`${file} does not have the cost ${cost}.`);
      return { code: code.replace(cost, cheap), map: null };
    },
  };
}
