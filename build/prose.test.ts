import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { AVOIDED, avoidedIn } from './prose.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = globSync(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/**/*.md'], { cwd: ROOT });
const wordsIn = (markdown: string): string[] => avoidedIn(markdown).map(({ words }) => words);

test('there are pages to check', () => {
  expect(PAGES.length).toBeGreaterThan(40);
});

test.each(PAGES)('%s uses plain English', (page) => {
  expect(avoidedIn(readFileSync(join(ROOT, page), 'utf8'))).toEqual([]);
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
