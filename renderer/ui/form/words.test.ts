import { expect, test } from 'vitest';
import { codeWords } from './words.ts';

test('in a script the words begin with the name that the script gives the message', () => {
  const word = (code: string) => codeWords(code, [{ path: 'payload' }])[1]?.label;
  expect(word('export default (msg) => msg')).toBe('msg.payload');
  expect(word('export default async function row(message) {')).toBe('message.payload');
  expect(word('export default m => m')).toBe('m.payload');
  expect(word('')).toBe('msg.payload');
});

test('a word has the last value; a path that is no code is left out', () => {
  const paths = [{ path: 'payload.id', value: 'A' }, { path: 'payload.lines.0.id' }, { path: 'payload.x-y' }];
  expect(codeWords('', paths)).toEqual([{ label: 'msg' }, { label: 'msg.payload.id', detail: '"A"' }]);
});
