import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FILE_BYTES_MAX } from '#common/model/project-file.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { isEmptyFolder, readFolderFiles, writeFolderFiles } from './folder-files.ts';

const folder = dirPerTest();
const at = (path: string): string => join(folder.path, path);
const FILES = new Map([
  ['sluice.json', '{}\n'],
  ['queries/orders.json', '{}\n'],
  ['queries/orders.sql', 'SELECT 1\n'],
]);

test('files are written, read again, and deleted when they are gone; others stay', async () => {
  const project = at('line-7');
  expect(await isEmptyFolder(project)).toBe(true);
  expect(await writeFolderFiles(project, new Map(), FILES)).toEqual({ written: 3, deleted: 0, unchanged: 0 });
  expect(await isEmptyFolder(project)).toBe(false);
  writeFileSync(join(project, 'README.md'), 'mine');
  mkdirSync(join(project, '.git'));
  writeFileSync(join(project, 'queries/.orders.sql.swp'), 'of an editor');
  const before = await readFolderFiles(project);
  expect(before).toEqual(FILES);

  const after = new Map([
    ['sluice.json', '{}\n'],
    ['queries/orders.json', '{"a":1}\n'],
  ]);
  expect(await writeFolderFiles(project, before, after)).toEqual({ written: 1, deleted: 1, unchanged: 1 });
  expect(await readFolderFiles(project)).toEqual(after);
  expect(readFileSync(join(project, 'README.md'), 'utf8')).toBe('mine');
  expect(readdirSync(join(project, 'queries')).toSorted()).toEqual(['.orders.sql.swp', 'orders.json']);
});

test('a folder that does not exist has no files', async () => {
  expect(await readFolderFiles(at('none'))).toEqual(new Map());
});

test('links are not followed, for files and for subfolders', async () => {
  writeFileSync(at('secret'), 'of another');
  mkdirSync(at('queries'));
  symlinkSync(at('secret'), at('queries/orders.sql'));
  await expect(readFolderFiles(folder.path)).rejects.toThrow('queries/orders.sql: it is a symbolic link');
  symlinkSync(at('queries'), at('connections'));
  await expect(readFolderFiles(folder.path)).rejects.toThrow('connections: it is a symbolic link');
});

test.each([
  ['an unknown file', 'queries/orders.txt', 'x', 'queries/orders.txt: expected only files that end with .json or .sql'],
  ['a file that is not UTF-8', 'scripts/a.js', Buffer.from([0xff]), 'scripts/a.js: expected UTF-8'],
  ['a file that is too large', 'scripts/a.js', Buffer.alloc(PROJECT_FILE_BYTES_MAX + 1), 'bytes; expected the folder'],
])('%s is refused with its path', async (_what, path, content, sentence) => {
  mkdirSync(join(at(path), '..'));
  writeFileSync(at(path), content);
  await expect(readFolderFiles(folder.path)).rejects.toThrow(sentence);
});

test('a folder instead of a file is refused', async () => {
  mkdirSync(at('tags/line.json'), { recursive: true });
  await expect(readFolderFiles(folder.path)).rejects.toThrow('tags/line.json: expected a file');
});
