import { expect, test } from 'vitest';
import { packagesWithEngines, readLock } from './lock.ts';

test('npm compares no package but Sluice with the Node that runs it ("npm run lock")', () => {
  expect(packagesWithEngines(readLock())).toEqual([]);
});

test('a field "engines" of another package is found in a lock file', () => {
  const packages = { '': { engines: { node: '>=18' } }, 'node_modules/a': {}, 'node_modules/b': { engines: {} } };
  expect(packagesWithEngines({ packages })).toEqual(['node_modules/b']);
});
