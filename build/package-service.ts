import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT_IN_KEY, readUpdateKey } from '../main/cli/update/update-key.ts';
import { RELEASE } from './package/places.ts';
import { type BuiltInKey, defaultOptions, packageService, packageTree } from './package/service-package.ts';

/**
 * `npm run package:service`: the appliance without a window, as a `.tar.gz` and a `.deb` for Linux on x86-64, in
 * `release/`. Needs nothing but npm's packages and, for the .deb, dpkg-deb.
 *
 * Options after `--`: `--out DIR` instead of release/; `--tree-only` stops at the unpacked tree; `--package-version V`
 * names another version than the product's, for tests of upgrades; `--public-key FILE` builds in the Ed25519 key that
 * "sluice update verify" checks newer packages with.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    'package-version': { type: 'string' },
    'public-key': { type: 'string' },
    'tree-only': { type: 'boolean' },
  },
});
const options = { ...defaultOptions(resolve(values.out ?? RELEASE)), updateKey: builtIn(values['public-key']) };
const version = values['package-version'] ?? options.version;
console.log(await (values['tree-only'] ? packageTree(options) : packageService({ ...options, version })));

/** In one form, whatever the file has besides; refused here when it is no public key. */
function builtIn(file: string | undefined): BuiltInKey | undefined {
  if (file === undefined) return undefined;
  const text = readUpdateKey(resolve(file)).key.export({ type: 'spki', format: 'pem' });
  return { name: BUILT_IN_KEY, text: text.toString() };
}
