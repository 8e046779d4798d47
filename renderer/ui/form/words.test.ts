import { expect, test } from 'vitest';
import { codeWords } from './words.ts';

test('completions in a script begin with the name of its message parameter', () => {
  const word = (code: string) => codeWords(code, [{ path: 'payload' }])[1]?.label;
  expect(word('export default (msg) => msg')).toBe('msg.payload');
  expect(word('export default async function row(message) {')).toBe('message.payload');
  expect(word('export default m => m')).toBe('m.payload');
  expect(word('')).toBe('msg.payload');
});

test('a completion shows the last value, and a path that is not valid code is omitted', () => {
  const paths = [{ path: 'payload.id', value: 'A' }, { path: 'payload.lines.0.id' }, { path: 'payload.x-y' }];
  expect(codeWords('', paths)).toEqual([{ label: 'msg' }, { label: 'msg.payload.id', detail: '"A"' }]);
});

test('the name is found quickly in code with much white space', () => {
  const from = performance.now();
  expect(codeWords(`export default function${' '.repeat(100_000)}=`, [])).toHaveLength(1);
  expect(performance.now() - from).toBeLessThan(500);
});

test('the name is found in every form of a function', () => {
  const name = (code: string) => codeWords(code, [])[0]?.label;
  expect(name('export default function (msg) {')).toBe('msg');
  expect(name('export default function(m) {')).toBe('m');
  expect(name('export default async (one) => one')).toBe('one');
  expect(name('export default async function named ( two ) {')).toBe('two');
});
