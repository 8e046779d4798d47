import { expect, test } from 'vitest';
import type { RunRecord } from '#common/model/records.ts';
import { codeWords, messagePaths } from './words.ts';

const run = (input: unknown) => ({ steps: [{ node: 'row', input }] }) as unknown as RunRecord;

test('what the node got last is offered first, then what every message has', () => {
  const paths = messagePaths([run({ body: { orderId: 'A', 'not-a-name': 1, lines: [1] } })], 'row');
  expect(paths.slice(0, 4)).toEqual(['payload', 'payload.body', 'payload.body.orderId', 'payload.body.lines']);
  expect(paths).toContain('payload.params');
  expect(paths).toContain('caller.name');
  expect(messagePaths([], 'row')).toContain('payload.body');
});

test('a step that keeps the whole message lists its payload', () => {
  expect(messagePaths([run({ payload: { x: 1 }, request: null })], 'row')).toContain('payload.x');
});

test('in a script the words begin with the name that the script gives the message', () => {
  const word = (code: string) => codeWords(code, ['payload'])[1];
  expect(word('export default (msg) => msg')).toBe('msg.payload');
  expect(word('export default async function row(message) {')).toBe('message.payload');
  expect(word('export default m => m')).toBe('m.payload');
  expect(word('')).toBe('msg.payload');
});
