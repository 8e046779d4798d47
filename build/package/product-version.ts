import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackagingError } from './package-script.ts';
import { manifest, ROOT } from './places.ts';

/**
 * The version of a package. A release has the version of package.json, the only source of it (common/version.ts), and a
 * section in the changelog. A snapshot is a development package of one commit; it sorts before the release with the same
 * number.
 */
export interface VersionFiles {
  /** package.json's version. */
  version: string;
  /** package-lock.json, parsed. */
  lock: { version: string; packages: Readonly<Record<string, { version?: string }>> };
  /** CHANGELOG.md. */
  changelog: string;
}

export function readVersionFiles(): VersionFiles {
  const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
  const lock = JSON.parse(read('package-lock.json')) as VersionFiles['lock'];
  return { version: manifest().version, lock, changelog: read('CHANGELOG.md') };
}

/** Throws if package.json, package-lock.json and the changelog do not have the same release. */
export function releaseVersion({ version, lock, changelog }: VersionFiles): string {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new PackagingError(`package.json has the version "${version}"; expected three numbers, such as 1.2.3.`);
  for (const other of [lock.version, lock.packages['']?.version]) {
    if (other !== version)
      throw new PackagingError(
        `package-lock.json has the version ${other ?? '(none)'}, package.json has ${version}. Run "npm version ${version} --no-git-tag-version --allow-same-version".`,
      );
  }
  const section = /^## (.+)$/m.exec(changelog)?.[1]?.trim() ?? '(none)';
  // A release date may follow the number.
  if (section.split(' ')[0] !== version)
    throw new PackagingError(
      `The first section of CHANGELOG.md is "${section}"; a release needs "${version}" there. For a development package, use --snapshot.`,
    );
  return version;
}

/** The snapshot of this checkout's commit. Needs git. */
export function snapshotVersion(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--untracked-files=no');
  return snapshotOf(manifest().version, git('rev-parse', '--short=12', 'HEAD'), changes !== '');
}

/** `1.1.0-dev.1a2b3c4d5e6f`; with `.changed` at the end if files differ from the commit. */
export function snapshotOf(version: string, commit: string, changed: boolean): string {
  return `${version}-dev.${commit}${changed ? '.changed' : ''}`;
}

/** In the form of dpkg and rpm: a tilde sorts before the release; a hyphen would start the packaging revision. */
export function systemVersion(version: string): string {
  return version.replace('-', '~');
}
