import { expect, test } from 'vitest';
import { faultsOf, messageOf, nodeOf, testRun } from '#sdk/testing.ts';
import { NodeError } from '#sdk';
import { historyRead } from './index.ts';

const settings = { tags: ['a/{{payload.name}}', 'b/*'], from: 'now-{{payload.hours}}h' };

test('requests the filled-in tags and times, with the defaults of the call', async () => {
  const asked: unknown[] = [];
  const run = testRun((name, args) => {
    asked.push([name, args]);
    return [];
  });
  const node = await nodeOf(historyRead, settings);
  const outcome = await node.run(messageOf({ name: 'speed', hours: 8 }), run);
  expect(outcome).toMatchObject({ port: 'out', message: { payload: { name: 'speed', hours: 8, result: [] } } });
  expect(asked).toEqual([
    [
      'historian.query',
      { tags: ['a/speed', 'b/*'], from: 'now-8h', to: 'now', aggregate: 'raw', interval: 0, limit: 10_000 },
    ],
  ]);
});

test('fails with the error code of the call', async () => {
  const node = await nodeOf(historyRead, settings);
  const run = testRun(() => {
    throw new NodeError('history_range', 'no');
  });
  await expect(node.run(messageOf({ name: 'speed', hours: 8 }), run)).rejects.toMatchObject({ code: 'history_range' });
});

test.each([
  ['nothing', undefined],
  ['a pattern: who sends one must not read more tags than the author named', '*'],
  ['a pattern for all below', 'a/**'],
  ['no path', '../a'],
])('requests nothing if the message contains %s', async (_what, name) => {
  const node = await nodeOf(historyRead, { tags: ['a', '{{payload.name}}'], from: 'now-1h' });
  const run = testRun(() => expect.fail('nothing may be asked for'));
  await expect(node.run(messageOf({ name }), run)).rejects.toMatchObject({ code: 'tag_path_invalid' });
});

test('names the wrong setting and what was expected', () => {
  expect(
    faultsOf(historyRead, { tags: [], from: 'now', aggregate: 'sum', interval: -1, limit: 0, into: 'caller' }),
  ).toEqual([
    'tags: expected tags from 1 to 100',
    expect.stringMatching(/^aggregate: expected one of raw, /),
    'interval: expected seconds of 0 or more',
    'limit: expected points from 1 to 100,000',
    expect.stringMatching(/^into: .*payload/),
  ]);
});

test('accepts a comma-separated list', async () => {
  const asked: unknown[] = [];
  const node = await nodeOf(historyRead, { tags: 'a/speed, b/*', from: 'now-1h' });
  await node.run(
    messageOf({}),
    testRun((_name, args) => {
      asked.push(args);
      return [];
    }),
  );
  expect(asked).toEqual([expect.objectContaining({ tags: ['a/speed', 'b/*'] })]);
});

test('names a tag that can never be valid', () => {
  expect(faultsOf(historyRead, { tags: ['a', 'no tag'], from: 'now-1h' })).toEqual([
    expect.stringMatching(/^tags: expected a tag path .*"no tag"/),
  ]);
});

test('names a fixed time that can never be valid', () => {
  const tags = ['a'];
  const expected = expect.stringContaining('expected a time such as');
  expect(faultsOf(historyRead, { tags, from: 'yesterday' })).toEqual([expected]);
  expect(faultsOf(historyRead, { tags, from: 'now-1h', to: '2026-03-01' })).toEqual([expected]);
  expect(faultsOf(historyRead, { tags, from: 'now-{{payload.hours}}h', to: '{{payload.to}}' })).toEqual([]);
});
