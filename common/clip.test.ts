import { expect, test } from 'vitest';
import { clip } from './clip.ts';

test('a text within the limit is unchanged, and a longer one is cut at the limit', () => {
  expect(clip('abcd', 4)).toBe('abcd');
  expect(clip('abcde', 4)).toBe('abcd…');
});

test('a character of two code units is never split', () => {
  expect(clip('abc😀e', 4)).toBe('abc…');
  expect(clip('abc😀e', 5)).toBe('abc😀…');
});
