import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeTarball } from './archive.ts';
import { refuseMissingImports } from './check-imports.ts';
import { SIGNATURE, SUMS, writeChecksums } from './checksums.ts';
import { LINUX_FILES, makeDeb } from './deb.ts';
import { copyGuides } from './guides.ts';
import { licencesText } from './licences.ts';
import { setModes } from './modes.ts';
import { manifest } from './places.ts';
import { readLock, sbomOf } from './sbom.ts';
import { makeServiceTree } from './service-tree.ts';
import { runtimeId, shippedPackages, uiPackageIds } from './shipped-packages.ts';
import type { Target } from './target.ts';
import { filesOf, refuseStrangers, sizeTable } from './tree-files.ts';

/** `npm run package:service`: the tree of service mode, checked, as a `.tar.gz` and a `.deb`, with papers beside them. */
export interface PackageOptions {
  /** Where everything goes; what is there under the same names is replaced. */
  out: string;
  /** In names and in the .deb; another one than the product's is for tests of upgrades. */
  version: string;
  /** File of the Ed25519 key that signs the checksums; undefined = unsigned. */
  signingKey: string | undefined;
  /** What `sluice update verify` checks with, built in; undefined = none. */
  updateKey: BuiltInKey | undefined;
}

export interface BuiltInKey {
  /** Beside `app/`. */
  name: string;
  /** In PEM. */
  text: string;
}

const TARGET: Target = { platform: 'linux', arch: 'x64' };

/** The tree alone, in `out`/service; returns its size table. */
export async function packageTree({ out, updateKey }: PackageOptions): Promise<string> {
  const tree = join(out, 'service');
  await makeCheckedTree(tree, TARGET, updateKey);
  return sizeTable(filesOf(tree));
}

/** Returns what to tell: the size table, then a line per file. */
export async function packageService({ out, version, signingKey, updateKey }: PackageOptions): Promise<string> {
  const tree = join(out, 'service');
  const ids = await makeCheckedTree(tree, TARGET, updateKey);
  const name = `sluice-${version}-linux-x64`;
  const names = {
    tar: `${name}.tar.gz`,
    deb: `sluice_${version}_amd64.deb`,
    sizes: `${name}.sizes.txt`,
    sbom: `${name}.cdx.json`,
  };
  const sizes = sizeTable(filesOf(tree));
  const sbom = `${JSON.stringify(sbomOf(readLock(), ids), null, 2)}\n`;
  writeFileSync(join(out, names.sizes), sizes);
  writeFileSync(join(out, names.sbom), sbom);
  await writeTarball(join(out, names.tar), tree, filesOf(tree), name);
  const made = [names.tar, names.sizes, names.sbom];
  if (hasDpkg()) {
    const staging = join(out, 'deb');
    makeDeb({ tree, staging, file: join(out, names.deb), version, sbom });
    rmSync(staging, { recursive: true });
    made.push(names.deb);
  }
  const signed = writeChecksums(out, made, signingKey);
  return [sizes, ...made, SUMS, signed ? SIGNATURE : 'not signed: SLUICE_SIGNING_KEY names no key', ...noDeb()].join(
    '\n',
  );
}

/** The tree with all papers; returns the ids of npm's packages in it. Throws when a file is missing or superfluous. */
export async function makeCheckedTree(tree: string, target = TARGET, updateKey?: BuiltInKey): Promise<string[]> {
  const bundle = await makeServiceTree({ folder: tree, target });
  const packages = shippedPackages(bundle.modules);
  writeFileSync(join(tree, 'THIRD-PARTY-LICENSES.txt'), licencesText(packages));
  copyGuides(tree);
  if (target.platform === 'linux') addLinuxFiles(tree);
  if (updateKey !== undefined) writeFileSync(join(tree, updateKey.name), updateKey.text);
  refuseStrangers(filesOf(tree));
  refuseMissingImports(tree);
  setModes(tree);
  return [...new Set([...packages.map(({ id }) => id), ...uiPackageIds(), runtimeId(target)])].toSorted();
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

const noDeb = (): string[] => (hasDpkg() ? [] : ['no .deb: dpkg-deb is not on this machine']);

export function defaultOptions(out: string): PackageOptions {
  mkdirSync(out, { recursive: true });
  return { out, version: manifest().version, signingKey: process.env['SLUICE_SIGNING_KEY'], updateKey: undefined };
}
