import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT_IN_KEY, readUpdateKey } from '../main/cli/update/update-key.ts';
import { runPackageScript } from './package/package-script.ts';
import { manifest, RELEASE } from './package/places.ts';
import { readVersionFiles, releaseVersion, snapshotVersion } from './package/product-version.ts';
import { type BuiltInKey, packageService, packageTree } from './package/service-package.ts';
import { linuxTarget } from './package/target.ts';

/**
 * `npm run package:service`: the appliance without a window, as a `.tar.gz` and a `.deb` for Linux, in `release/`.
 * Needs nothing but npm's packages and, for the .deb, dpkg-deb.
 *
 * Options after `--`:
 * - `--arch x64|arm64` may be given twice; x64 is the default. npm downloads Node for other machines.
 * - `--snapshot` makes development packages, `1.2.3-dev.<commit>`; a release needs its section in CHANGELOG.md.
 * - `--out DIR` instead of release/; `--tree-only` stops at the unpacked tree, of any state of the changelog.
 * - `--public-key FILE` builds in the Ed25519 key that "sluice update verify" checks newer packages with.
 * - `--package-version V` sets the version of product and package, for tests of upgrades.
 */
const { values } = parseArgs({
  options: {
    arch: { type: 'string', multiple: true, default: ['x64'] },
    out: { type: 'string' },
    'package-version': { type: 'string' },
    'public-key': { type: 'string' },
    snapshot: { type: 'boolean' },
    'tree-only': { type: 'boolean' },
  },
});
await runPackageScript(async () => {
  const options = {
    out: resolve(values.out ?? RELEASE),
    targets: [...new Set(values.arch)].map(linuxTarget),
    version: chosenVersion(),
    signingKey: process.env['SLUICE_SIGNING_KEY'],
    updateKey: builtIn(values['public-key']),
  };
  mkdirSync(options.out, { recursive: true });
  console.log(await (values['tree-only'] ? packageTree(options) : packageService(options)));
});

function chosenVersion(): string {
  const given = values['package-version'];
  if (given !== undefined) return given;
  if (values.snapshot) return snapshotVersion();
  return values['tree-only'] ? manifest().version : releaseVersion(readVersionFiles());
}

/** Normalized, whatever else the file contains; refused here if it is not a public key. */
function builtIn(file: string | undefined): BuiltInKey | undefined {
  if (file === undefined) return undefined;
  const text = readUpdateKey(resolve(file)).key.export({ type: 'spki', format: 'pem' });
  return { name: BUILT_IN_KEY, text: text.toString() };
}
