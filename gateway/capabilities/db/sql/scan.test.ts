import { describe, expect, test } from 'vitest';
import { type Dialect, DIALECTS, scanSql } from './scan.ts';

/** The SQL with each recognized parameter in `‹›`. */
function marked(sql: string, dialect: Dialect): string {
  return scanSql(sql, dialect)
    .pieces.map((piece) => ('text' in piece ? piece.text : `‹${piece.param}›`))
    .join('');
}

/** SQL and its expected marking; `=` if nothing is found. */
type Row = readonly [sql: string, found: string];

const EVERYWHERE: readonly Row[] = [
  ['', '='],
  [' ', '='],
  ['SELECT 1', '='],
  [':a', '‹a›'],
  ['SELECT :a', 'SELECT ‹a›'],
  ['SELECT :a, :b', 'SELECT ‹a›, ‹b›'],
  ['SELECT :a,:a', 'SELECT ‹a›,‹a›'],
  ['SELECT :a:b', 'SELECT ‹a›‹b›'],
  ['SELECT (:a)', 'SELECT (‹a›)'],
  ['x=:a', 'x=‹a›'],
  ['x>:a AND y<:b', 'x>‹a› AND y<‹b›'],
  ['x IN (:a,:b,:c)', 'x IN (‹a›,‹b›,‹c›)'],
  [':_a', '‹_a›'],
  [':a_1Z', '‹a_1Z›'],
  [':A', '‹A›'],
  [':a-:b', '‹a›-‹b›'],
  [':a+1', '‹a›+1'],
  [':a||:b', '‹a›||‹b›'],
  [':a.b', '‹a›.b'],
  [': a', '='],
  [':', '='],
  [':1', '='],
  [':-', '='],
  ["':a'", '='],
  ["'it''s :a'", '='],
  ["'a' :b 'c'", "'a' ‹b› 'c'"],
  ["''':a'", '='],
  ["'':a''", "''‹a›''"],
  ["'unterminated :a", '='],
  ["'a\n:b'", '='],
  ['":a"', '='],
  ['"x"":a"', '='],
  ['"x" = :a', '"x" = ‹a›'],
  ['"unterminated :a', '='],
  ["'\"' :a '\"'", "'\"' ‹a› '\"'"],
  ['"\'" :a "\'"', '"\'" ‹a› "\'"'],
  ['-- :a', '='],
  ['-- :a\n:b', '-- :a\n‹b›'],
  ["-- it's\n:a", "-- it's\n‹a›"],
  [':a -- :b', '‹a› -- :b'],
  ['/* :a */', '='],
  ['/* :a */ :b', '/* :a */ ‹b›'],
  ["/* it's */ :a", "/* it's */ ‹a›"],
  ['/**/:a', '/**/‹a›'],
  ['/* unterminated :a', '='],
  ['/* -- */ :a', '/* -- */ ‹a›'],
  ['-- /*\n:a', '-- /*\n‹a›'],
  ["'/*' :a '*/'", "'/*' ‹a› '*/'"],
  ["'--' :a", "'--' ‹a›"],
  ['a - :b', 'a - ‹b›'],
  ['a / :b', 'a / ‹b›'],
  ['a * :b', 'a * ‹b›'],
  ['a::int', '='],
  [':a::int', '‹a›::int'],
  ['x := :a', 'x := ‹a›'],
  ['x:=1', '='],
  ["N':a'", '='],
  ["X'00' :a", "X'00' ‹a›"],
  ['naïve = :a', 'naïve = ‹a›'],
  ["'\u{1f600}:a' :b", "'\u{1f600}:a' ‹b›"],
  ['LIMIT :n;', 'LIMIT ‹n›;'],
  ['1.5 :a', '1.5 ‹a›'],
  ['1e5 :a', '1e5 ‹a›'],
];

const OWN: Readonly<Record<Dialect, readonly Row[]>> = {
  sqlite: [
    ["'\\' :a", "'\\' ‹a›"],
    ["'\\':a'x'", "'\\'‹a›'x'"],
    ['`:a`', '='],
    ['`x``:a`', '='],
    ['[:a]', '='],
    ['[x] = :a', '[x] = ‹a›'],
    ['[it]]:a', '[it]]‹a›'],
    ['/* /* */ :a */', '/* /* */ ‹a› */'],
    ['--:a', '='],
    ["a -> '$.b' = :c", "a -> '$.b' = ‹c›"],
    ['x:a', 'x‹a›'],
    ["e':a' :b", "e':a' ‹b›"],
  ],
  postgresql: [
    ["E'\\' :a'", '='],
    ["E'\\' :a' :b", "E'\\' :a' ‹b›"],
    ["e'\\\\' :a", "e'\\\\' ‹a›"],
    ["E'it''s :a'", '='],
    ["xe'\\' :a", "xe'\\' ‹a›"],
    ["E'a'\n'\\':b' :c", "E'a'\n'\\':b' ‹c›"],
    ["E'a' -- x\n'\\':b' :c", "E'a' -- x\n'\\':b' ‹c›"],
    ["E'a' '\\' :b", "E'a' '\\' ‹b›"],
    ["'\\' :a", "'\\' ‹a›"],
    ["U&'\\0041' :a", "U&'\\0041' ‹a›"],
    ["B'01' :a", "B'01' ‹a›"],
    ['/* /* */ :a */ :b', '/* /* */ :a */ ‹b›'],
    ['/* /* /* */ */ :a */:b', '/* /* /* */ */ :a */‹b›'],
    ['/*/ :a */ :b', '/*/ :a */ ‹b›'],
    ['-- x\r:a', '-- x\r‹a›'],
    ['--:a', '='],
    ['$$:a$$', '='],
    ['$$:a$$ :b', '$$:a$$ ‹b›'],
    ['$x$ :a $$ :b $x$ :c', '$x$ :a $$ :b $x$ ‹c›'],
    ['$x$ $X$ :a $x$', '='],
    ["$$ it's $$ :a", "$$ it's $$ ‹a›"],
    ['$$ unterminated :a', '='],
    ['a$b$ :c', 'a$b$ ‹c›'],
    ['DO $body$ BEGIN x := :a; END $body$', '='],
    ['a ? :b', 'a ? ‹b›'],
    ["a ?| ARRAY['b'] :c", "a ?| ARRAY['b'] ‹c›"],
    ['a ?& :b', 'a ?& ‹b›'],
    ["a @? '$.b' :c", "a @? '$.b' ‹c›"],
    ["a #>> '{b}' = :c", "a #>> '{b}' = ‹c›"],
    ['a # :b', 'a # ‹b›'],
    ['a @> :b::jsonb', 'a @> ‹b›::jsonb'],
    ['a[1:2]', '='],
    ['a[b:c]', '='],
    ['a[1:n]', '='],
    ['a[1 : :n]', 'a[1 : ‹n›]'],
    ['a[:i]', 'a[‹i›]'],
    ['a::text::int = :b', 'a::text::int = ‹b›'],
    ['"a"::int :b', '"a"::int ‹b›'],
    ['f(a := :b)', 'f(a := ‹b›)'],
    ['f(a => :b)', 'f(a => ‹b›)'],
    ['`:a`', '`‹a›`'],
  ],
  mysql: [
    ["'\\' :a'", '='],
    ["'\\\\' :a", "'\\\\' ‹a›"],
    ["'\\\\\\' :a'", '='],
    ['"\\" :a"', '='],
    ['"\\\\" :a', '"\\\\" ‹a›'],
    ["'a\\", '='],
    ['`:a`', '='],
    ['`x``:a`', '='],
    ['`a\\` = :b', '`a\\` = ‹b›'],
    ['# :a', '='],
    ['# :a\n:b', '# :a\n‹b›'],
    ["# it's\n:a", "# it's\n‹a›"],
    ['a--:b', 'a--‹b›'],
    ['5--1 = :a', '5--1 = ‹a›'],
    ['--\t:a', '='],
    ['--', '='],
    ['/* /* */ :a', '/* /* */ ‹a›'],
    ['/*! :a */ :b', '/*! :a */ ‹b›'],
    ['/*+ hint(:a) */ :b', '/*+ hint(:a) */ ‹b›'],
    ['@v := :a', '@v := ‹a›'],
    ['@@sql_mode = :a', '@@sql_mode = ‹a›'],
    ["_utf8mb4':a' :b", "_utf8mb4':a' ‹b›"],
    ["a -> '$.b' = :c", "a -> '$.b' = ‹c›"],
    ['[:a]', '[‹a›]'],
    ["e'\\':a' :b", "e'\\':a' ‹b›"],
  ],
  sqlserver: [
    ["'\\' :a", "'\\' ‹a›"],
    ['[:a]', '='],
    ['[x]]:a]', '='],
    ['[x]]] = :a', '[x]]] = ‹a›'],
    ['[dbo].[t] WHERE x = :a', '[dbo].[t] WHERE x = ‹a›'],
    ["['] = :a", "['] = ‹a›"],
    ['/* /* */ :a */ :b', '/* /* */ :a */ ‹b›'],
    ['--:a', '='],
    ['@v = :a', '@v = ‹a›'],
    ['@p1 = :a', '@p1 = ‹a›'],
    ['#temp :a', '#temp ‹a›'],
    ['##temp :a', '##temp ‹a›'],
    ['geometry::Parse(:a)', 'geometry::Parse(‹a›)'],
    ["N'it''s :a' :b", "N'it''s :a' ‹b›"],
    ['`:a`', '`‹a›`'],
    ['a ? :b', 'a ? ‹b›'],
  ],
};

describe.each(DIALECTS)('parameters in SQL of %s', (dialect) => {
  const rows = [...EVERYWHERE, ...OWN[dialect]];

  test(`are tested on at least 60 texts`, () => {
    expect(new Set(rows.map(([sql]) => sql)).size).toBeGreaterThanOrEqual(60);
  });

  test.each(rows)('%j', (sql, found) => {
    expect(marked(sql, dialect)).toBe(found === '=' ? sql : found);
  });
});

describe('rejected statements', () => {
  test.each([
    ['sqlite', 'SELECT ?'],
    ['sqlite', 'SELECT ?1'],
    ['sqlite', 'SELECT @a'],
    ['sqlite', 'SELECT $a'],
    ['postgresql', 'SELECT $1'],
    ['mysql', 'SELECT ?'],
    ['mysql', 'SELECT :a\0'],
    ['sqlite', "SELECT 1\0; ATTACH 'x' AS y"],
    ['postgresql', 'SELECT :naïve'],
    ['postgresql', 'SELECT :a$1'],
  ] as const)('%s: %j', (dialect, sql) => {
    expect(() => scanSql(sql, dialect)).toThrow(expect.objectContaining({ code: 'sql_invalid' }));
  });
});

describe('the first word', () => {
  test.each([
    ['mysql', 'select 1', 'select'],
    ['mysql', ' /* x */ -- y\n # z\n COMMIT', 'commit'],
    ['mysql', '/*! COMMIT */ SELECT 1', ''],
    ['mysql', '/*M! COMMIT */ SELECT 1', ''],
    ['mysql', '(SELECT 1)', ''],
    ['postgresql', '-- COMMIT\nSELECT 1', 'select'],
    ['postgresql', '/* /* */ COMMIT */ SELECT 1', 'select'],
    ['sqlite', ':a', ''],
    ['sqlserver', ';WITH x AS (SELECT 1) SELECT 1', ''],
    ['sqlite', '', ''],
  ] as const)('%s: %j', (dialect, sql, keyword) => {
    expect(scanSql(sql, dialect).keyword).toBe(keyword);
  });
});

describe('a second statement', () => {
  test.each([
    ['SELECT 1', false],
    ['SELECT 1;', false],
    ['SELECT 1; -- done\n ;', false],
    ["SELECT ';' x", false],
    ['SELECT 1; SELECT 2', true],
    ['SELECT 1;(SELECT 2)', true],
    ['SELECT 1 /* ; */ ;;:a', true],
  ])('%j: %s', (sql, expected) => {
    expect(scanSql(sql, 'sqlserver').goesOnAfterSemicolon).toBe(expected);
  });
});

test('scanning takes time in proportion to the length of the text', () => {
  const parts = ["E'a'\n", '/*', '$x', ':a ', '[', '"', '-- \n', "E'", "E''--", "E''\n--x\n", '--', '$a$b'];
  for (const part of parts) {
    const began = performance.now();
    scanSql(part.repeat(Math.floor(65_536 / part.length)), 'postgresql');
    expect(performance.now() - began, JSON.stringify(part)).toBeLessThan(5_000);
  }
});
