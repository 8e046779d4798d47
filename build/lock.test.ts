import { expect, test } from 'vitest';
import { packagesWithEngines, readLock } from './lock.ts';

test('npm compares only Sluice itself with the Node in use ("npm run lock")', () => {
  expect(packagesWithEngines(readLock())).toEqual([]);
});

test('an "engines" field of another package is found in a lock file', () => {
  const packages = { '': { engines: { node: '>=18' } }, 'node_modules/a': {}, 'node_modules/b': { engines: {} } };
  expect(packagesWithEngines({ packages })).toEqual(['node_modules/b']);
});
