import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackagingError } from './package-script.ts';
import { sitePackageIds } from '../site/assets.ts';
import { writeTarball } from './archive.ts';
import { refuseMissingImports } from './check-imports.ts';
import { SIGNATURE, SUMS, writeChecksums } from './checksums.ts';
import { LINUX_FILES, makeDeb } from './deb.ts';
import { copyGuides } from './guides.ts';
import { licencesText } from './licences.ts';
import { setModes } from './modes.ts';
import { systemVersion } from './product-version.ts';
import { refuseForeignCode } from './native-code.ts';
import { readLock, sbomOf } from './sbom.ts';
import { makeServiceTree, type TreeOptions } from './service-tree.ts';
import { runtimeId, shippedPackages, uiPackageIds } from './shipped-packages.ts';
import { DEBIAN_ARCHITECTURES, targetName, type Target } from './target.ts';
import { filesOf, refuseStrangers, sizeTable } from './tree-files.ts';

/**
 * `npm run package:service`: the tree of service mode, checked, as a `.tar.gz` and a `.deb`, with accompanying
 * documents.
 */
export interface PackageOptions {
  /** The output folder; files with the same names are replaced. */
  out: string;
  /** One set of files for each. */
  targets: readonly Target[];
  /** Version of the product and in the names of the files. */
  version: string;
  /** File of the Ed25519 key that signs the checksums; undefined: unsigned. */
  signingKey: string | undefined;
  /** The built-in key of `sluice update verify`; undefined: none. */
  updateKey: BuiltInKey | undefined;
}

export interface BuiltInKey {
  /** Beside `app/`. */
  name: string;
  /** In PEM. */
  text: string;
}

/** Only the tree, in `out`/service; returns its size table. */
export async function packageTree({ out, targets, version, updateKey }: PackageOptions): Promise<string> {
  const [target, ...more] = targets;
  if (target === undefined || more.length > 0)
    throw new PackagingError('--tree-only makes one tree; expected one --arch.');
  const folder = join(out, 'service');
  await makeCheckedTree({ folder, target, version }, updateKey);
  return sizeTable(filesOf(folder));
}

/** Returns the lines to print: for each target the size table, then a line per file. */
export async function packageService(options: PackageOptions): Promise<string> {
  const { out, targets, signingKey } = options;
  const sets: { sizes: string; files: string[] }[] = [];
  for (const target of targets) sets.push(await packageTarget(options, target));
  const files = sets.flatMap((set) => set.files);
  const signed = writeChecksums(out, files, signingKey);
  return [
    ...sets.map(({ sizes }) => sizes),
    ...files,
    SUMS,
    signed ? SIGNATURE : 'not signed: SLUICE_SIGNING_KEY names no key',
    ...(hasDpkg() ? [] : ['no .deb: dpkg-deb is not on this machine']),
  ].join('\n');
}

/** The names of the created files. */
async function packageTarget(
  { out, version, updateKey }: PackageOptions,
  target: Target,
): Promise<{ sizes: string; files: string[] }> {
  const tree = join(out, 'service');
  const ids = await makeCheckedTree({ folder: tree, target, version }, updateKey);
  const name = `sluice-${version}-${targetName(target)}`;
  const sizes = sizeTable(filesOf(tree));
  const sbom = `${JSON.stringify(sbomOf(readLock(), version, ids), null, 2)}\n`;
  writeFileSync(join(out, `${name}.sizes.txt`), sizes);
  writeFileSync(join(out, `${name}.cdx.json`), sbom);
  await writeTarball(join(out, `${name}.tar.gz`), tree, filesOf(tree), name);
  const files = [`${name}.tar.gz`, `${name}.sizes.txt`, `${name}.cdx.json`];
  if (hasDpkg()) {
    const architecture = DEBIAN_ARCHITECTURES[target.arch];
    const deb = `sluice_${systemVersion(version)}_${architecture}.deb`;
    const staging = join(out, 'deb');
    makeDeb({ tree, staging, file: join(out, deb), version: systemVersion(version), architecture, sbom });
    rmSync(staging, { recursive: true });
    files.push(deb);
  }
  return { sizes, files };
}

/** The tree with all documents; returns the IDs of npm packages in it. Throws if a file is missing or superfluous. */
export async function makeCheckedTree(options: TreeOptions, updateKey?: BuiltInKey): Promise<string[]> {
  const { folder: tree, target } = options;
  const bundle = await makeServiceTree(options);
  const packages = shippedPackages(bundle.modules);
  writeFileSync(join(tree, 'THIRD-PARTY-LICENSES.txt'), licencesText(packages));
  copyGuides(tree);
  if (target.platform === 'linux') addLinuxFiles(tree);
  if (updateKey !== undefined) writeFileSync(join(tree, updateKey.name), updateKey.text);
  refuseStrangers(filesOf(tree));
  refuseMissingImports(tree);
  if (target.platform === 'linux') refuseForeignCode(tree, target);
  setModes(tree);
  return [
    ...new Set([...packages.map(({ id }) => id), ...uiPackageIds(), ...sitePackageIds(), await runtimeId(target)]),
  ].toSorted();
}

function addLinuxFiles(tree: string): void {
  cpSync(join(LINUX_FILES, 'sluice.sh'), join(tree, 'sluice'));
  chmodSync(join(tree, 'sluice'), 0o755);
  for (const file of ['README.md', 'sluice.service']) cpSync(join(LINUX_FILES, file), join(tree, file));
}

function hasDpkg(): boolean {
  try {
    execFileSync('dpkg-deb', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
