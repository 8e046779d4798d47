import { describe, expect, test } from 'vitest';
import { fillTagRef, parseTagRef } from '#sdk';
import { messageOf } from './testing.ts';

const PATTERNS = { patterns: true };

describe('the name of a tag in settings', () => {
  test.each([
    ['line7/filler/speed', false],
    ['line{{payload.line}}/speed', false],
    ['{{payload.tag}}', false],
    ['line7/*', true],
    ['line{{payload.line}}/**', true],
  ])('%s is accepted', (text, pattern) => {
    expect(parseTagRef(text, PATTERNS)).toMatchObject({ text, pattern });
  });

  test.each([
    '',
    '/',
    'a/',
    'a b',
    'a/../b',
    'a//b',
    'ä',
    '{{',
    'a/{{payload..x}}',
    'x'.repeat(65),
    'a/b/c/d/e/f/g/h/i',
  ])('%j is refused', (text) => {
    expect(() => parseTagRef(text, PATTERNS)).toThrow(RangeError);
  });

  test('refuses "*" where a single tag is expected', () => {
    expect(() => parseTagRef('a/*', { patterns: false })).toThrow('without "*"');
  });
});

describe('the name of a tag for one message', () => {
  const fill = (text: string, payload: unknown) => fillTagRef(parseTagRef(text, PATTERNS), messageOf(payload));

  test.each([
    ['line{{payload.line}}/speed', { line: 7 }, 'line7/speed'],
    ['{{payload.tag}}', { tag: 'a/b' }, 'a/b'],
    ['{{payload.line}}/**', { line: 'x' }, 'x/**'],
  ])('%s', (text, payload, path) => {
    expect(fill(text, payload)).toBe(path);
  });

  test.each([
    ['{{payload.tag}}', { tag: '**' }],
    ['line{{payload.line}}/speed', { line: '*' }],
    ['line{{payload.line}}/**', { line: '7*' }],
    ['{{payload.tag}}', {}],
    ['{{payload.tag}}', { tag: '../other' }],
    ['{{payload.tag}}', { tag: 'a/' }],
    ['{{payload.tag}}', { tag: ['a'] }],
    ['a/{{payload.tag}}/b', { tag: '' }],
  ])('%s is refused for %o', (text, payload) => {
    expect(() => fill(text, payload)).toThrow(expect.objectContaining({ code: 'tag_path_invalid' }));
  });
});
