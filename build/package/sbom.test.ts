import { expect, test } from 'vitest';
import { readLock, sbomOf, type Lock } from './sbom.ts';

const root = 'sluice@1.2.3';
const lock: Lock = {
  packages: {
    '': { dependencies: { pg: '8.0.0', keychain: 'npm:@a/keychain@1.0.0', vite: '8.0.0' } },
    'node_modules/pg': { version: '8.0.0', license: 'MIT', integrity: 'sha512-AQI=', dependencies: { split: '2.0.0' } },
    'node_modules/pg/node_modules/split': { version: '2.0.0' },
    'node_modules/split': { version: '1.0.0' },
    'node_modules/keychain': { name: '@a/keychain', version: '1.0.0', dependencies: { split: '1.0.0' } },
    'node_modules/vite': { version: '8.0.0' },
  },
};

test('the list names the contents of the package with hash and licence, without build tools', () => {
  const { metadata, components } = sbomOf(lock, '1.2.3', ['pg@8.0.0', '@a/keychain@1.0.0']);
  expect(metadata.component).toMatchObject({ 'bom-ref': root, type: 'application', purl: `pkg:npm/${root}` });
  expect(components).toMatchObject([
    {
      'bom-ref': 'pg@8.0.0',
      hashes: [{ alg: 'SHA-512', content: '0102' }],
      licenses: [{ expression: 'MIT' }],
    },
    { 'bom-ref': '@a/keychain@1.0.0', name: '@a/keychain', purl: 'pkg:npm/%40a/keychain@1.0.0' },
  ]);
});

test('a dependency is the nearest package upwards that is in the package', () => {
  const ids = ['pg@8.0.0', 'split@2.0.0', 'split@1.0.0', '@a/keychain@1.0.0'];
  expect(sbomOf(lock, '1.2.3', ids).dependencies).toEqual([
    { ref: root, dependsOn: ['pg@8.0.0', '@a/keychain@1.0.0'] },
    { ref: 'pg@8.0.0', dependsOn: ['split@2.0.0'] },
    { ref: 'split@2.0.0', dependsOn: [] },
    { ref: 'split@1.0.0', dependsOn: [] },
    { ref: '@a/keychain@1.0.0', dependsOn: ['split@1.0.0'] },
  ]);
});

test('a package missing from the lock file stops the build because the list would not name it', () => {
  expect(() => sbomOf(lock, '1.2.3', ['pg@8.0.0', 'left-pad@1.0.0'])).toThrow('left-pad@1.0.0');
});

test('every package in the lock file has a hash, except those of this repository', () => {
  const { packages } = readLock();
  const without = Object.entries(packages).filter(
    ([path, entry]) => path.startsWith('node_modules/') && entry.integrity === undefined && entry.link !== true,
  );
  expect(without).toEqual([]);
});
