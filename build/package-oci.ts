import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runPackageScript } from './package/package-script.ts';
import { packageOci } from './package/oci-image.ts';
import { RELEASE } from './package/places.ts';
import { readVersionFiles, releaseVersion, snapshotVersion } from './package/product-version.ts';
import { linuxTarget } from './package/target.ts';

/**
 * `npm run package:oci`: the service as an OCI image, one archive for each architecture, in `release/`. Needs apt-get,
 * dpkg-deb, GNU tar and Debian's mirror; no container engine.
 *
 * Options after `--`: `--arch x64|arm64` may be given twice; `--snapshot` as for package:service; `--out DIR`.
 */
const { values } = parseArgs({
  options: {
    arch: { type: 'string', multiple: true, default: ['x64'] },
    out: { type: 'string' },
    snapshot: { type: 'boolean' },
  },
});
await runPackageScript(async () => {
  const out = resolve(values.out ?? RELEASE);
  const version = values.snapshot ? snapshotVersion() : releaseVersion(readVersionFiles());
  mkdirSync(out, { recursive: true });
  for (const target of [...new Set(values.arch)].map(linuxTarget))
    console.log(await packageOci({ out, target, version }));
});
