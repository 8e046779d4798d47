import { describe, expect, test } from 'vitest';
import {
  FILLED_CHARS_MAX,
  fillTemplate,
  fillTemplateUpTo,
  jsonText,
  linearPattern,
  NodeError,
  parsePath,
  parseTemplate,
  readPath,
} from '#sdk';

describe('a path', () => {
  test.each([
    ['payload.body.lines.0.id', ['payload', 'body', 'lines', '0', 'id']],
    ['a', ['a']],
    ['a\\.b.c', ['a.b', 'c']],
  ])('%s is parsed into names', (text, names) => {
    expect(parsePath(text)).toEqual(names);
  });

  test.each(['', '.', 'a.', '.a', 'a..b', Array(65).fill('a').join('.')])('%j is refused', (text) => {
    expect(() => parsePath(text)).toThrow(RangeError);
  });

  test('reads own properties only', () => {
    expect(readPath({ a: [{ b: 1 }] }, ['a', '0', 'b'])).toBe(1);
    expect(readPath({ a: 1 }, ['constructor'])).toBe(undefined);
    expect(readPath({ a: 'text' }, ['a', 'length'])).toBe(undefined);
    expect(readPath(JSON.parse('{"__proto__": {"x": 1}}'), ['__proto__', 'x'])).toBe(1);
    expect(readPath({}, ['__proto__', 'toString'])).toBe(undefined);
    expect(readPath(null, ['a'])).toBe(undefined);
  });
});

describe('a template', () => {
  const fill = (text: string, root: unknown) => fillTemplate(parseTemplate(text), root);

  test.each([
    ['plain', 'plain'],
    ['', ''],
    ['{{a}}', 'text'],
    ['[{{ a }}|{{n}}|{{t}}|{{o}}|{{l}}|{{none}}|{{nil}}|{{bytes}}]', '[text|7|true|{"b":"AQI="}|[1]|||AQI=]'],
    ['{{a}}{{a}}', 'texttext'],
    ['{{{a}}}', '{text}'],
    ['{{', '{{'],
    ['}}', '}}'],
    ['{{}}', '{{}}'],
    ['{{ }}', '{{ }}'],
    ['{{ {{a}} }}', '{{ text }}'],
    ['{{a} }}', '{{a} }}'],
    ['{"x": {"y": 1}}', '{"x": {"y": 1}}'],
  ])('%j becomes %j', (text, filled) => {
    const bytes = new Uint8Array([1, 2]);
    expect(fill(text, { a: 'text', n: 7, t: true, o: { b: bytes }, l: [1], nil: null, bytes })).toBe(filled);
  });

  test('with an invalid path is refused', () => {
    expect(() => parseTemplate('x {{a..b}}')).toThrow(RangeError);
  });

  test.each([
    ['{{' + ' '.repeat(100_000)],
    ['{{'.repeat(50_000)],
    ['}}'.repeat(50_000)],
    ['{{ a '.repeat(20_000) + '}}'.repeat(20_000)],
    ['{{}}'.repeat(20_000)],
  ])('designed to be slow to parse is not (case %#)', (text) => {
    const started = performance.now();
    parseTemplate(text);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('cannot multiply a long payload without limit', () => {
    const template = parseTemplate('{{a}}'.repeat(100));
    expect(() => fillTemplate(template, { a: 'x'.repeat(FILLED_CHARS_MAX / 10) })).toThrow(
      expect.objectContaining({ code: 'text_too_long' }),
    );
    expect(fillTemplateUpTo(template, { a: 'x'.repeat(30) }, 50)).toBe(`${'x'.repeat(50)}…`);
    expect(fillTemplateUpTo(parseTemplate('{{a}}'), { a: 'x'.repeat(50) }, 50)).toBe('x'.repeat(50));
  });
});

describe('JSON text', () => {
  test('has bytes as base64 and keeps a plain property named __proto__', () => {
    expect(jsonText({ a: [new Uint8Array([255])], b: 1 })).toBe('{"a":["/w=="],"b":1}');
    expect(jsonText({ ...JSON.parse('{"x":{"__proto__":1}}'), y: new Uint8Array(1) })).toBe(
      '{"x":{"__proto__":1},"y":"AA=="}',
    );
  });

  test('of a part of a larger buffer contains only that part', () => {
    expect(jsonText({ a: new Uint8Array(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2) })).toBe('{"a":"AgM="}');
  });

  test('refuses values without a JSON form', () => {
    expect(() => jsonText(undefined)).toThrow(TypeError);
    expect(() => jsonText(() => 1)).toThrow(TypeError);
  });
});

describe('a linear pattern', () => {
  test('is found anywhere in the text, with the syntax of JavaScript', () => {
    expect(linearPattern('b+').test('abbc')).toBe(true);
    expect(linearPattern('^\\u00e9\\/[\\d]$').test('é/7')).toBe(true);
    expect(linearPattern('^a$').test('a\n')).toBe(false);
  });

  test('refuses a pattern that is too long, too large or not linear', () => {
    for (const source of ['a'.repeat(1_001), '[^a]{1000}[^b]{1000}[^c]{1000}', '(?<=a)b', '(a)\\1', '['])
      expect(() => linearPattern(source), source).toThrow(RangeError);
  });

  test('refuses a string that would take too long, with a separate error', () => {
    expect(() => linearPattern('(a|b)*a(a|b){200}$').test('ab'.repeat(10_000))).toThrow(NodeError);
  });
});
