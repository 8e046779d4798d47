import { expect, test } from 'vitest';
import { testKey } from '#common/model/key-record.testing.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { keysOf, type KeyWish } from './key-filter.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const key = (id: string, name: string, more: Partial<KeyRecord> = {}) =>
  testKey({ id, name, lastUsedAt: '2026-11-21T11:00:00Z', ...more });
const KEYS = [
  key('AbC123', 'MES line 7'),
  key('AbD456', 'Labeller', { project: 'line-8', lastUsedAt: '2026-09-01T00:00:00Z' }),
  key('xyz789', 'Andon', { lastUsedAt: null }),
  key('old000', 'Robot', { revokedAt: '2026-11-01T00:00:00Z' }),
];
const names = (wish: Partial<KeyWish>) =>
  keysOf(
    KEYS,
    { find: '', filter: 'all', project: '', ...wish },
    (id) => (id === 'line-8' ? 'Packing' : 'Filling'),
    NOW,
  ).map(({ name }) => name);

test('a key is found by a part of its name, by its project and by its ID', () => {
  expect(names({ find: ' mes ' })).toEqual(['MES line 7']);
  expect(names({ find: 'packing' })).toEqual(['Labeller']);
  expect(names({ find: 'xyz' })).toEqual(['Andon']);
  expect(names({ find: 'slc_Ab' })).toEqual(['MES line 7', 'Labeller']);
  expect(names({ find: 'slc_abc' })).toEqual([]);
});

test('a pasted complete key is found by its ID, whatever its secret is', () => {
  expect(names({ find: 'slc_AbC123_whatever0secret' })).toEqual(['MES line 7']);
});

test('filters separate valid, unused and revoked keys, and projects', () => {
  expect(names({ filter: 'valid' })).toEqual(['MES line 7', 'Labeller', 'Andon']);
  expect(names({ filter: 'unused' })).toEqual(['Labeller', 'Andon']);
  expect(names({ filter: 'revoked' })).toEqual(['Robot']);
  expect(names({ project: 'line-8' })).toEqual(['Labeller']);
});
