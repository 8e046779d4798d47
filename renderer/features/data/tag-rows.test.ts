import { expect, test } from 'vitest';
import type { TagDefinition } from '#common/model/tag.ts';
import { badPaths, folderOf, foundTags, pathsIn, rowsOf } from './tag-rows.ts';

const tag = (path: string, title = ''): TagDefinition => ({
  path,
  title,
  type: 'number',
  unit: '',
  source: { provider: 'memory', initial: null },
  writable: false,
  history: null,
});
const tags = [tag('b/two'), tag('loose'), tag('b/one', 'First of all'), tag('a/c/x')];

test('tags are listed in their folders, both sorted, and tags without a folder come first', () => {
  const rows = rowsOf(tags, new Set());
  expect(rows.map((row) => (row.kind === 'folder' ? `${row.folder}/ ${row.count}` : row.name))).toEqual([
    'loose',
    'a/c/ 1',
    'x',
    'b/ 2',
    'one',
    'two',
  ]);
  expect(pathsIn(rows)).toEqual(['loose', 'a/c/x', 'b/one', 'b/two']);
});

test('a closed folder shows its name and its number of tags', () => {
  const rows = rowsOf(tags, new Set(['b']));
  expect(rows.at(-1)).toEqual({ kind: 'folder', folder: 'b', count: 2, open: false });
});

test('a search finds words in the path or the title, in any case', () => {
  expect(foundTags(tags, 'B/ FIRST').map(({ path }) => path)).toEqual(['b/one']);
  expect(foundTags(tags, ' ')).toHaveLength(4);
  expect(folderOf('a/c/x')).toBe('a/c');
});

test('the filter for bad tags finds those with bad quality', () => {
  const value = (path: string, quality: 'good' | 'bad' | 'uncertain') =>
    [path, { path, value: null, quality, reason: null, time: null, unit: '' }] as const;
  expect(badPaths(new Map([value('x', 'bad'), value('y', 'uncertain'), value('z', 'good')]))).toEqual(['x']);
  expect(badPaths(undefined)).toEqual([]);
});
