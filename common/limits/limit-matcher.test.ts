import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tagMatches } from '../model/tag-pattern.ts';
import { LimitMatcher } from './limit-matcher.ts';

const covers = (patterns: readonly string[], thing: string): boolean => new LimitMatcher(patterns).covers(thing);

test.each([
  [['line7/filler/speed'], 'line7/filler/speed', true],
  [['line7/filler/speed'], 'line7/filler', false],
  [['line7/filler/*'], 'line7/filler/speed', true],
  [['line7/filler/*'], 'line7/filler/a/b', false],
  [['line7/filler/*'], 'line7/safety', false],
  [['line7/**'], 'line7/filler/speed', true],
  [['line7/**'], 'line7', false],
  [['line7/**'], 'line77/a', false],
  [['**'], 'a', true],
  [['*'], 'a/b', false],
  [['line*/speed'], 'line7/speed', true],
  [['line*/**'], 'line7/a/b', true],
  [['a*c*e'], 'abcde', true],
  [['a*c*e'], 'abde', false],
  [['ab*b'], 'ab', false],
  [[], 'a', false],
])('%j covers the name %s: %s', (patterns, name, covered) => {
  expect(covers(patterns, name)).toBe(covered);
});

test.each([
  [['line7/**'], 'line7/**', true],
  [['line7/**'], 'line7/filler/*', true],
  [['line7/*'], 'line7/**', false],
  [['line7/*'], 'line7/s*', true],
  [['line7/s*'], 'line7/*', false],
  [['line7/a', 'line7/b'], 'line7/*', false],
  [['l*/x'], '*/x', false],
  [['l*/**'], 'li*/**', true],
  [['*'], '**', false],
])('%j covers the pattern %s: %s', (patterns, pattern, covered) => {
  expect(covers(patterns, pattern)).toBe(covered);
});

describe('compared with other matchers, on random limits of few letters', () => {
  const next = seeded(26);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const word = (letters: readonly string[], most: number): string =>
    Array.from({ length: 1 + Math.floor(next() * most) }, () => pick(letters)).join('');
  const name = (): string => Array.from({ length: 1 + Math.floor(next() * 3) }, () => word(['a', 'b'], 3)).join('/');
  const pattern = (): string => {
    const names = Array.from({ length: 1 + Math.floor(next() * 3) }, () =>
      word(['a', 'b', '*'], 3).replaceAll(/\*+/g, '*'),
    );
    return next() < 0.3 ? [...names.slice(1), '**'].join('/') : names.join('/');
  };

  test('100,000 pairs of a limit and a name have the answer of the globs of Node', () => {
    for (let pair = 0; pair < 100_000; pair += 1) {
      const [limit, asked] = [pattern(), name()];
      if (covers([limit], asked) !== posix.matchesGlob(asked, limit))
        expect.fail(`${limit} on ${asked}: ${covers([limit], asked)}`);
    }
  });

  test('lists of patterns have the answer of the matcher of tags', () => {
    for (let pair = 0; pair < 50_000; pair += 1) {
      const limits = Array.from({ length: Math.floor(next() * 6) }, pattern);
      const asked = name();
      if (covers(limits, asked) !== limits.some((limit) => tagMatches(limit, asked)))
        expect.fail(`${limits.join(', ')} on ${asked}`);
    }
  });

  test('a covered pattern matches no name that the limit does not cover', () => {
    for (let pair = 0; pair < 20_000; pair += 1) {
      const limits = Array.from({ length: 3 }, pattern);
      const asked = pattern();
      if (!covers(limits, asked)) continue;
      const names = Array.from({ length: 20 }, name).filter((one) => tagMatches(asked, one));
      for (const one of names) if (!covers(limits, one)) expect.fail(`${limits.join(', ')} on ${asked}: ${one}`);
    }
  });
});

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
