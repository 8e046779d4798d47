import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RELEASE } from './package/places.ts';
import { defaultOptions, packageService, packageTree } from './package/service-package.ts';

/**
 * `npm run package:service`: the appliance without a window, as a `.tar.gz` and a `.deb` for Linux on x86-64, in
 * `release/`. Needs nothing but npm's packages and, for the .deb, dpkg-deb.
 *
 * Options after `--`: `--out DIR` instead of release/; `--tree-only` stops at the unpacked tree; `--package-version V`
 * names another version than the product's, for tests of upgrades.
 */
const { values } = parseArgs({
  options: { out: { type: 'string' }, 'package-version': { type: 'string' }, 'tree-only': { type: 'boolean' } },
});
const options = defaultOptions(resolve(values.out ?? RELEASE));
const version = values['package-version'] ?? options.version;
console.log(await (values['tree-only'] ? packageTree(options.out) : packageService({ ...options, version })));
