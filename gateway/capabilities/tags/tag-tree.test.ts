import { describe, expect, test } from 'vitest';
import { tagMatches } from '#common/model/tag.ts';
import { CACHED_PATTERNS_MAX, ENDLESS, TagTree } from './tag-tree.ts';

const NAMES = ['a', 'ab', 'b', 'line7', 'line70', 'x-1'];
const paths = NAMES.flatMap((one) => [one, ...NAMES.flatMap((two) => [`${one}/${two}`, `${one}/${two}/c`])]);
const treeOf = (list: readonly string[]) => new TagTree(list.map((path) => ({ path })));

/** 100 lines of 10 machines of 10 tags. */
const plant = Array.from(
  { length: 10_000 },
  (_, n) => `line${Math.floor(n / 100)}/machine${Math.floor(n / 10) % 10}/tag${n % 10}`,
);

describe('a tree of tags', () => {
  test.each([
    'a',
    'a/b',
    'a/b/c',
    'a/b/d',
    'z',
    '*',
    '**',
    '*/*',
    '*/b',
    'a/*',
    'a/**',
    '*/**',
    '**/b',
    '**/c',
    'line7*/*b*',
    '*7*/**',
    'a*b',
    'a/*/c',
    '***',
    '*/*/*',
    '*/*/*/*',
    'l*e*/**/c',
  ])('finds exactly the matches of a pattern by %s', (pattern) => {
    const found = treeOf(paths).find(pattern, ENDLESS());
    expect(found.map(({ path }) => path).toSorted()).toEqual(
      paths.filter((path) => tagMatches(pattern, path)).toSorted(),
    );
  });

  test('visits only the folders that a pattern can match, however many tags there are', () => {
    const tree = treeOf(plant);
    const looked = (pattern: string): number => {
      const steps = { left: 1_000_000 };
      tree.find(pattern, steps);
      return 1_000_000 - steps.left;
    };
    expect(looked('line42/machine3/tag7')).toBe(3);
    expect(looked('line42/machine3/*')).toBe(12);
    expect(looked('line42/**')).toBe(111);
    expect(looked('**')).toBe(11_100);
  });

  test('finds a pattern at once the second time', () => {
    const tree = treeOf(plant);
    const first = tree.find('*/machine3/tag7', ENDLESS());
    const steps = { left: 101 };
    expect(tree.find('*/machine3/tag7', steps)).toBe(first);
    expect(steps.left).toBe(0);
  });

  test('stops when the steps are used up, and keeps no partial result', () => {
    const tree = treeOf(plant);
    const steps = { left: 500 };
    expect(tree.find('**', steps).length).toBeLessThan(501);
    expect(steps.left).toBeLessThan(0);
    expect(tree.find('**', ENDLESS())).toHaveLength(10_000);
  });

  test('caches a limited number of patterns', () => {
    const tree = treeOf(['a/b']);
    const first = tree.find('a/*', ENDLESS());
    for (let n = 0; n < CACHED_PATTERNS_MAX; n++) tree.find(`none${n}*`, ENDLESS());
    expect(tree.find('a/*', ENDLESS())).not.toBe(first);
  });
});
