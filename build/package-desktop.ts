import { resolve } from 'node:path';
import { packageDesktop } from './package/desktop-package.ts';
import { runPackageScript } from './package/package-script.ts';
import { manifest, ROOT } from './package/places.ts';
import { readVersionFiles, releaseVersion, snapshotVersion } from './package/product-version.ts';
import type { Target } from './package/target.ts';

/**
 * `npm run package:desktop [-- electron-builder's arguments]`: the desktop package for this kind of machine, in
 * release/out. `-- --dir` stops at the unpacked application. Needs Electron's program and electron-builder's tools,
 * which it downloads, and Chromium for the icons.
 *
 * As the first argument: `--snapshot` makes a development package, `1.2.3-dev.<commit>`; `--project DIR` takes another
 * folder with an electron-builder.yml, for tests, in any state of the changelog.
 */
const [first, folder, ...rest] = process.argv.slice(2);
const target = { platform: process.platform as Target['platform'], arch: process.arch as Target['arch'] };
await runPackageScript(async () => {
  process.exitCode = await packed();
});

async function packed(): Promise<number> {
  if (first === '--project' && folder !== undefined)
    return packageDesktop({ target, version: manifest().version, project: resolve(folder) }, rest);
  if (first === '--snapshot')
    return packageDesktop({ target, version: snapshotVersion(), project: ROOT }, process.argv.slice(3));
  const version = releaseVersion(readVersionFiles());
  return packageDesktop({ target, version, project: ROOT }, process.argv.slice(2));
}
