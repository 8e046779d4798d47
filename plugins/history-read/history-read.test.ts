import { expect, test } from 'vitest';
import { faultsOf, messageOf, nodeOf, testRun } from '#sdk/testing.ts';
import { NodeError } from '#sdk';
import { historyRead } from './index.ts';

const settings = { tags: ['a/{{payload.name}}', 'b/*'], from: 'now-{{payload.hours}}h' };

test('asks for the filled tags and times, with the defaults of the call', async () => {
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

test('fails with the code of the call', async () => {
  const node = await nodeOf(historyRead, settings);
  const run = testRun(() => {
    throw new NodeError('history_range', 'no');
  });
  await expect(node.run(messageOf({ name: 'speed', hours: 8 }), run)).rejects.toMatchObject({ code: 'history_range' });
});

test('refuses a tag that the message leaves empty', async () => {
  const node = await nodeOf(historyRead, { tags: ['{{payload.name}}'], from: 'now-1h' });
  await expect(
    node.run(
      messageOf({}),
      testRun(() => []),
    ),
  ).rejects.toMatchObject({ code: 'tag_missing' });
});

test('names the setting that is wrong and what was expected', () => {
  expect(
    faultsOf(historyRead, { tags: [], from: 'now', aggregate: 'sum', interval: -1, limit: 0, into: 'caller' }),
  ).toEqual([
    'tags: expected a list of 1 to 100 tags',
    expect.stringMatching(/^aggregate: expected raw, /),
    'interval: expected seconds of 0 or more',
    'limit: expected points from 1 to 100,000',
    expect.stringMatching(/^into: .*payload/),
  ]);
});
