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
  ['HEAD is answered on a route of every method', [['*', '/a']], 'HEAD', '/a', '/a', []],
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

const SEGMENTS = ['a', 'b', ':x', ':y', ''];
const PATHS = ['', 'a', 'b', '7', 'a/', 'a/b', 'a/7', '7/a', '7/7', 'b/', 'a/b/a', 'a/7/b', '7/b/', '7/7/7'].map(
  (p) => `/${p}`,
);

/** Every pattern of at most three segments. */
function patterns(): string[] {
  const one = SEGMENTS.map((segment) => [segment]);
  const two = one.flatMap((front) => SEGMENTS.map((segment) => [...front, segment]));
  const three = two.flatMap((front) => SEGMENTS.map((segment) => [...front, segment]));
  return [...one, ...two, ...three].map((parts) => `/${parts.join('/')}`).filter((source) => parsePattern(source).ok);
}

const shapeOf = (source: string): string => source.replace(/:\w/g, ':');
const answers = (of: ReturnType<typeof trie>): string[] =>
  PATHS.map((path) => {
    const match = of.find('GET', path);
    return match === null ? 'none' : `${match.route.source} ${match.values.join(',')}`;
  });

test('the routes left after removals match as if the removed ones had never been there', () => {
  // One route of each shape, as in the live table.
  const all = [...new Map(patterns().map((source) => [shapeOf(source), source])).values()];
  const routes = all.map((source) => route('GET', source));
  const changed = new RouteTrie(routes);
  // In an order that leaves inner nodes with and without routes.
  while (routes.length > 0) {
    const [gone] = routes.splice(routes.length % 3 === 0 ? 0 : routes.length >> 1, 1);
    if (gone) changed.remove(gone);
    expect(answers(changed)).toEqual(answers(new RouteTrie(routes)));
  }
  expect(answers(changed)).toEqual(PATHS.map(() => 'none'));
});

test('a route that has replaced another stays when the other is removed', () => {
  const [before, after] = [route('GET', '/a/:x'), route('GET', '/a/:y')];
  const changed = new RouteTrie([before]);
  changed.add(after);
  changed.remove(before);
  expect(changed.find('GET', '/a/7')?.route).toBe(after);
});
