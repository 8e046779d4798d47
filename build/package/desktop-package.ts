import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseMissingImports } from './check-imports.ts';
import { DESKTOP_ENTRIES } from './entries.ts';
import { makeIcons } from './icons.ts';
import { licencesText } from './licences.ts';
import { manifest } from './places.ts';
import { readLock, sbomOf } from './sbom.ts';
import { makeCheckedTree } from './service-package.ts';
import { makeAppTree } from './service-tree.ts';
import { shippedPackages } from './shipped-packages.ts';
import { targetName, type Target } from './target.ts';
import { filesOf, refuseStrangers } from './tree-files.ts';

export interface DesktopOptions {
  target: Target;
  version: string;
  /** Contains electron-builder.yml and gets all output in its folder `release`. */
  project: string;
}

/**
 * `npm run package:desktop`: the desktop package for the kind of machine that it runs on, by electron-builder.
 * Not signed here: an installer for Windows or macOS needs a certificate, which electron-builder takes from its own
 * environment variables.
 */
export async function packageDesktop(
  { target, version, project }: DesktopOptions,
  builderArguments: readonly string[],
): Promise<number> {
  const release = join(project, 'release');
  mkdirSync(release, { recursive: true });
  await makeIcons(join(release, 'resources'));
  const ids = await makeDesktopTrees(target, version, {
    service: join(release, 'service'),
    desktop: join(release, 'desktop'),
  });
  const sbom = sbomOf(readLock(), version, [...ids, `electron@${electronVersion()}`]);
  const name = `sluice-desktop-${version}-${targetName(target)}.cdx.json`;
  writeFileSync(join(release, name), `${JSON.stringify(sbom, null, 2)}\n`);
  const words = ['--projectDir', project, ...builderArguments];
  const { status } = spawnSync('electron-builder', words, {
    cwd: project,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return status ?? 1;
}

/** The files beside `app.asar` and those in it; returns the IDs of npm packages in either. */
export async function makeDesktopTrees(
  target: Target,
  version: string,
  to: { service: string; desktop: string },
): Promise<string[]> {
  const ids = await makeCheckedTree({ folder: to.service, target, version });
  const options = { folder: to.desktop, target, version };
  const bundle = await makeAppTree(options, DESKTOP_ENTRIES, { main: 'app/desktop.js' });
  const packages = shippedPackages(bundle.modules);
  writeFileSync(join(to.desktop, 'THIRD-PARTY-LICENSES.txt'), licencesText(packages));
  refuseStrangers(filesOf(to.desktop));
  refuseMissingImports(to.desktop);
  return [...new Set([...ids, ...packages.map(({ id }) => id)])].toSorted();
}

function electronVersion(): string {
  const { devDependencies } = manifest();
  const version = devDependencies['electron'];
  if (version === undefined)
    throw new Error('package.json names no version of electron; expected one in devDependencies.');
  return version;
}
