import { expect, test } from 'vitest';
import { fileKind, foldersOf, inFolder } from './file-kind.ts';

test('the end of a file name decides how the file is shown, unless the file is too large', () => {
  const kinds = ['a.JSON', 'b.csv', 'c.log', 'd.bin', 'README'].map((name) => fileKind(name, 10));
  expect(kinds).toEqual(['json', 'csv', 'text', 'bytes', 'bytes']);
  expect(fileKind('a.json', 2 * 1024 * 1024)).toBe('large');
});

test('the path of a folder names each folder in it', () => {
  expect(foldersOf('a/b')).toEqual([
    { name: 'a', path: 'a' },
    { name: 'b', path: 'a/b' },
  ]);
  expect([foldersOf(''), inFolder('', 'x'), inFolder('a/b', 'x')]).toEqual([[], 'x', 'a/b/x']);
});
