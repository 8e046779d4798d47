import { expect, test } from 'vitest';
import { faultsOf, messageOf, nodeOf, testRun } from '#sdk/testing.ts';
import { fileRead } from '../file-read/index.ts';
import { fileWrite } from './index.ts';

test.each([
  [{ path: 'a.txt' }, { path: 'a.txt', format: 'text', content: 'body' }],
  [
    { path: 'a', format: 'json', from: 'payload.x' },
    { path: 'a', format: 'json', content: { y: 1 } },
  ],
  [
    { path: 'a', format: 'json', value: null },
    { path: 'a', format: 'json', content: null },
  ],
  [
    { path: 'o/{{payload.x.y}}', value: 'v' },
    { path: 'o/1', format: 'text', content: 'v' },
  ],
  [
    { path: 'a', from: 'payload.none' },
    { path: 'a', format: 'text', content: null },
  ],
])('%j writes the configured value, and the message is passed on unchanged', async (settings, args) => {
  const message = messageOf({ body: 'body', x: { y: 1 } });
  const made: unknown[] = [];
  const run = testRun((name, given) => {
    made.push([name, given]);
    return { bytes: 1 };
  });
  expect(await (await nodeOf(fileWrite, settings)).run(message, run)).toEqual({ port: 'out', message });
  expect(made).toEqual([['files.write', args]]);
});

test('a file is read in the configured format, and the result is placed as configured', async () => {
  const node = await nodeOf(fileRead, { path: '{{payload.name}}.bin', format: 'bytes', into: 'payload.body' });
  const asked: unknown[] = [];
  const run = testRun((name, args) => {
    asked.push([name, args]);
    return new Uint8Array([1]);
  });
  const outcome = await node.run(messageOf({ name: 'a' }), run);
  expect(outcome?.message.payload).toEqual({ name: 'a', body: new Uint8Array([1]) });
  expect(asked).toEqual([['files.read', { path: 'a.bin', format: 'bytes' }]]);
});

test.each([
  [{ path: 'a', value: 1, from: 'payload.a' }, /: expected value or from, not both/],
  [{ path: '' }, /^path: expected a path such as/],
  [{ path: 'a', format: 'xml' }, /^format: expected one of text, json, csv, bytes/],
  [{ path: 'x'.repeat(1_025) }, /^path: expected at most 1,024 characters/],
])('%j is refused on saving', (settings, says) => {
  expect(faultsOf(fileWrite, settings)).toEqual([expect.stringMatching(says)]);
});

test('the kinds require their scopes', () => {
  expect(fileRead.scopes(fileRead.settings.parse({ path: 'a' }))).toEqual(['file:read']);
  expect(fileWrite.scopes(fileWrite.settings.parse({ path: 'a' }))).toEqual(['file:write']);
});
