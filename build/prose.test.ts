import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { AVOIDED, avoidedIn, avoidedInSource } from './prose.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = globSync(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/**/*.md'], { cwd: ROOT });
const FOLDERS = ['build', 'common', 'gateway', 'main', 'plugins', 'renderer', 'test'];
/** Texts of other languages, and sources in other programming languages. The rest is rewritten with its own changes: this list only shrinks. */
const NOT_CHECKED = ['build/prose.test.ts', 'common/languages/!(en)/**', 'test/{bench/peers,openapi-tools}/**'];
const sourcesOf = (folder: string): string[] =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: ['**/node_modules', 'renderer/dist', ...NOT_CHECKED] });
const wordsIn = (markdown: string): string[] => avoidedIn(markdown).map(({ words }) => words);

test('the check covers more than 40 pages', () => {
  expect(PAGES.length).toBeGreaterThan(40);
  for (const folder of FOLDERS) expect(sourcesOf(folder).length, folder).toBeGreaterThan(20);
});

test.each(PAGES)('%s uses plain English', (page) => {
  expect(avoidedIn(readFileSync(join(ROOT, page), 'utf8'))).toEqual([]);
});

// A test for each file would cost more than the check.
test.each(FOLDERS)('comments, messages and test titles in %s use plain English', (folder) => {
  const found = sourcesOf(folder).flatMap((file) =>
    avoidedInSource(file, readFileSync(join(ROOT, file), 'utf8')).map(
      ({ line, words, instead }) => `${file}:${line} "${words}": ${instead}`,
    ),
  );
  expect(found).toEqual([]);
});

describe('in sources', () => {
  const inSource = (source: string): string[] => avoidedInSource('a.tsx', source).map(({ words }) => words);

  test.each([
    ['/** What a caller may do. */', ['What']],
    ['/**\n * The value is\n * none.\n */', ['is none']],
    ['// The caller is\n// told.', ['told']],
    ["test('the rest goes on', f);", ['goes on']],
    ['throw new Error(`${name} is mended`);', ['mended']],
    ['const a = <p>The row stands here.</p>;', ['stands']],
  ])('finds words in %j', (source, words) => {
    expect(inSource(source)).toEqual(words);
  });

  test.each([
    "say('told');",
    "const title = 'What stops now';",
    'const told = tells(anew);',
    '/** See `what is told`. */',
    "import 'anew';",
  ])('accepts %j', (source) => {
    expect(inSource(source)).toEqual([]);
  });

  test('reports the line where the text begins', () => {
    const source = 'const a = 1;\n\n// This is\n// told.\n';
    expect(avoidedInSource('a.ts', source)).toMatchObject([{ line: 3, words: 'told' }]);
  });
});

describe('the list', () => {
  test.each([
    ['The thread is made anew.', ['anew']],
    ['It was not there and is none.', ['is none']],
    ['A row that stands in the journal lies on disk.', ['stands', 'lies']],
    ['The rest goes on for ever.', ['goes on', 'for ever']],
    ['Whoever calls again is told so.', ['Whoever', 'told']],
    ['The fault is mended in some 40 ms.', ['mended', 'some 4']],
    ['What is not set stays as it was.', ['What']],
    ['A secret of ours is kept in clear all the same.', ['all the same', 'in clear', 'of ours']],
    ['It was looked for in the place of the file, for good.', ['in the place of', 'for good', 'looked for']],
    ['Done. Who calls again gets it.', ['. Who']],
    ['| Setting | What it is for |', ['| What']],
  ])('finds words in "%s"', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  test.each([
    'What does a key open?',
    '| Message | What to do |',
    '_Why?_ names `what stands` there.',
    'Select _What stands here_.',
    'A page about [goes](goes-on.md#whoever).',
    'It understands and tolls.',
  ])('accepts "%s"', (text) => {
    expect(wordsIn(text)).toEqual([]);
  });

  test('code in fences is not checked, and lines keep their numbers', () => {
    expect(avoidedIn('```sh\n# told\n```\n\nIt is told.\n')).toEqual([
      { line: 5, words: 'told', instead: AVOIDED.find(({ pattern }) => pattern.test('told'))?.instead },
    ]);
  });
});
