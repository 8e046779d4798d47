import { expect, test } from 'vitest';
import { readVersionFiles, releaseVersion, snapshotOf, systemVersion, type VersionFiles } from './product-version.ts';

const files = (change: Partial<VersionFiles> = {}): VersionFiles => ({
  version: '1.2.0',
  lock: { version: '1.2.0', packages: { '': { version: '1.2.0' } } },
  changelog: '# Changelog\n\n## 1.2.0\n\nA release.\n\n## 1.1.0\n',
  ...change,
});

test('a release has one version in package.json, lock file and changelog', () => {
  expect(releaseVersion(files())).toBe('1.2.0');
  expect(releaseVersion(files({ changelog: '# Changelog\n\n## 1.2.0 (2026-11-23)\n' }))).toBe('1.2.0');
});

test.each<[string, Partial<VersionFiles>, string]>([
  ['the changelog is not finished', { changelog: '# Changelog\n\n## Unreleased\n\n## 1.2.0\n' }, '"Unreleased"'],
  ['the changelog has an older release first', { changelog: '## 1.1.9\n\n## 1.2.0\n' }, '"1.1.9"'],
  ['the changelog has no section', { changelog: '# Changelog\n' }, '"(none)"'],
  ['the lock file is older', { lock: { version: '1.1.0', packages: { '': { version: '1.2.0' } } } }, '1.1.0'],
  ['its own entry is older', { lock: { version: '1.2.0', packages: { '': { version: '1.1.0' } } } }, '1.1.0'],
  ['its own entry is missing', { lock: { version: '1.2.0', packages: {} } }, '(none)'],
  ['the number is invalid', { version: '1.2' }, 'three numbers'],
])('no release is packed when %s', (_, change, sentence) => {
  expect(() => releaseVersion(files(change))).toThrow(sentence);
});

test('package.json and the lock file of this checkout agree', () => {
  const { version, lock } = readVersionFiles();
  expect(releaseVersion({ version, lock, changelog: `## ${version}\n` })).toBe(version);
});

test('a snapshot names its commit and sorts before the release', () => {
  expect(snapshotOf('1.2.0', '1a2b3c4d5e6f', false)).toBe('1.2.0-dev.1a2b3c4d5e6f');
  expect(snapshotOf('1.2.0', '1a2b3c4d5e6f', true)).toBe('1.2.0-dev.1a2b3c4d5e6f.changed');
  expect(systemVersion('1.2.0-dev.1a2b3c4d5e6f')).toBe('1.2.0~dev.1a2b3c4d5e6f');
  expect(systemVersion('1.2.0')).toBe('1.2.0');
});
