import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TempDir, tempDir } from '#test/temp-dir.ts';
import { missingImports, refuseMissingImports } from './check-imports.ts';
import { filesOf, refuseStrangers, sizeTable } from './tree-files.ts';

let folder: TempDir;
beforeEach(async () => void (folder = await tempDir('sluice-tree-')));
afterEach(() => folder.remove());

function put(path: string, text = ''): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

test.each([
  'app/service.js.map',
  'app/service.ts',
  'app/deep/service.js',
  'main/service.ts',
  'node_modules/express/index.js',
  'node_modules/sql.js/dist/sql-asm.js',
  'node_modules/keytar/src/main.cc',
  'runtime/npm',
  'docs/samples/notes.md',
  '.env',
])('%s is not packed', (path) => {
  put('app/service.js');
  expect(() => refuseStrangers(filesOf(folder.path))).not.toThrow();
  put(path);
  expect(() => refuseStrangers(filesOf(folder.path))).toThrow(path);
});

test('every import is resolved inside the tree or reported with its file', () => {
  put('node_modules/sql.js/package.json', '{"exports":{".":{"browser":"./no.js","default":"./dist/sql.js"}}}');
  put('node_modules/sql.js/dist/sql.js');
  put('app/part.js', 'export const a = 1;');
  put('app/ok.js', `import fs from 'node:fs'; import { a } from './part.js'; const b = await import("sql.js");`);
  expect(missingImports(folder.path)).toEqual([]);
  put('app/static.js', `import { x } from './gone.js'; export { y } from "left-out";`);
  put('app/dynamic.js', 'const z = await import(`./gone-too.js`); const w = import("sql.js/dist/none.js");');
  put('app/worker.js', `new Worker(new URL('./thread.js', import.meta.url)); const u = __require("absent");`);
  put('app/text.js', `throw new Error("try require('bluebird') or import('x')");`);
  expect(missingImports(folder.path)).toEqual([
    { file: 'app/dynamic.js', name: './gone-too.js' },
    { file: 'app/dynamic.js', name: 'sql.js/dist/none.js' },
    { file: 'app/static.js', name: './gone.js' },
    { file: 'app/static.js', name: 'left-out' },
    { file: 'app/worker.js', name: './thread.js' },
    { file: 'app/worker.js', name: 'absent' },
  ]);
  expect(() => refuseMissingImports(folder.path)).toThrow('left-out (in app/static.js)');
});

test('the sizes are listed by part, largest first', () => {
  put('app/service.js', 'x'.repeat(1024 ** 2));
  put('runtime/node', 'x'.repeat(2 * 1024 ** 2));
  expect(sizeTable(filesOf(folder.path)).split('\n')).toEqual([
    'part                 files         size',
    'Node runtime             1     2.00 MiB',
    'product                  1     1.00 MiB',
    'total                    2     3.00 MiB',
    '',
  ]);
});
