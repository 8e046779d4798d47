import { expect, test } from 'vitest';
import { parsePattern } from '#common/pattern.ts';
import { RouteTrie } from './trie.ts';

function route(method: string, source: string) {
  const parsed = parsePattern(source);
  if (!parsed.ok) throw new Error(parsed.message);
  return { method, pattern: parsed.pattern, source };
}

function trie(...routes: [string, string][]) {
  return new RouteTrie(routes.map(([method, source]) => route(method, source)));
}

test.each([
  [
    'a literal beats a parameter',
    [
      ['GET', '/a/:x'],
      ['GET', '/a/b'],
    ],
    'GET',
    '/a/b',
    '/a/b',
    [],
  ],
  ['a parameter takes one non-empty segment', [['GET', '/a/:x']], 'GET', '/a/7', '/a/:x', ['7']],
  [
    'a literal beats a parameter from the left',
    [
      ['GET', '/:a/b/c'],
      ['GET', '/x/:b/:c'],
    ],
    'GET',
    '/x/b/c',
    '/x/:b/:c',
    ['b', 'c'],
  ],
  [
    'a literal that leads nowhere gives way to a parameter',
    [
      ['GET', '/a/b/c'],
      ['GET', '/:x/b/d'],
    ],
    'GET',
    '/a/b/d',
    '/:x/b/d',
    ['a'],
  ],
  [
    'only routes that accept the method take part',
    [
      ['POST', '/a/b'],
      ['GET', '/a/:x'],
    ],
    'GET',
    '/a/b',
    '/a/:x',
    ['b'],
  ],
  [
    'an exact method beats any',
    [
      ['*', '/a'],
      ['GET', '/a'],
    ],
    'GET',
    '/a',
    '/a',
    [],
  ],
  ['HEAD is answered on a GET route', [['GET', '/a']], 'HEAD', '/a', '/a', []],
  ['any method is accepted by *', [['*', '/a']], 'PURGE', '/a', '/a', []],
  ['the root alone is a pattern', [['GET', '/']], 'GET', '/', '/', []],
  [
    'a trailing slash is part of the pattern',
    [
      ['GET', '/a/'],
      ['GET', '/a'],
    ],
    'GET',
    '/a/',
    '/a/',
    [],
  ],
  ['a parameter is handed over undecoded', [['GET', '/a/:x']], 'GET', '/a/%2F', '/a/:x', ['%2F']],
] as const)('%s', (_name, routes, method, path, source, values) => {
  const match = trie(...(routes as unknown as [string, string][])).find(method, path);
  expect(match?.route.source).toBe(source);
  expect(match?.values).toEqual(values);
});

test.each([
  ['a missing trailing slash', '/a/', 'GET', '/a'],
  ['a further trailing slash', '/a', 'GET', '/a/'],
  ['an empty segment for a parameter', '/a/:x', 'GET', '/a/'],
  ['a doubled slash', '/a/b', 'GET', '/a//b'],
  ['another case', '/a', 'GET', '/A'],
  ['another method', '/a', 'POST', '/a'],
  ['a longer path', '/a', 'GET', '/a/b'],
  ['a shorter path', '/a/:x', 'GET', '/a'],
  ['dot segments', '/a', 'GET', '/b/../a'],
])('nothing matches %s', (_name, source, method, path) => {
  expect(trie(['GET', source]).find(method, path)).toBeNull();
});
