import { expect, test } from 'vitest';
import { faultsOf, messageOf, nodeOf, testRun } from '#sdk/testing.ts';
import { messageIn } from '../message-in/index.ts';
import { messageOut } from './index.ts';

test('the payload is sent to the channel named by the message; the message is passed on unchanged', async () => {
  const message = messageOf({ line: 7, body: [1] });
  const made: unknown[] = [];
  const run = testRun((name, args) => {
    made.push([name, args]);
    return { receivers: 1 };
  });
  const node = await nodeOf(messageOut, { channel: 'line/{{payload.line}}' });
  expect(await node.run(message, run)).toEqual({ port: 'out', message });
  expect(made).toEqual([['messages.send', { channel: 'line/7', payload: message.payload }]]);
  expect(messageOut.scopes({ channel: ['a'] })).toEqual(['script:execute']);
});

test('a receiver listens to its channel once it is live, and passes its time limit on to its runs', async () => {
  const node = await nodeOf(messageIn, { channel: 'orders/new', timeout: 5 });
  const channels: string[] = [];
  node.begin?.({
    emit: () => true,
    active: 0,
    onMessages: (channel) => void channels.push(channel),
    onTags: () => undefined,
    log: () => undefined,
  });
  expect(channels).toEqual(['orders/new']);
  expect(node.runSeconds).toBe(5);
  expect((await nodeOf(messageIn, { channel: 'a' })).runSeconds).toBe(30);
  const message = messageOf({ a: 1 });
  expect(node.run(message, testRun())).toEqual({ port: 'out', message });
});

test.each(['', 'a b', '/a', 'a//b', 'a/{{payload.x}}', 'é'])('a receiver refuses a channel like %j', (channel) => {
  expect(faultsOf(messageIn, { channel })).toEqual([expect.stringMatching(/^channel: expected a channel name/)]);
});

test('invalid settings are refused on saving', () => {
  expect(faultsOf(messageOut, { channel: 'a b' })).toEqual([
    expect.stringMatching(/^channel: expected a channel name/),
  ]);
  for (const timeout of [0, 0.05, 3601, '5'])
    expect(faultsOf(messageIn, { channel: 'a', timeout })).toEqual([
      expect.stringMatching(/^timeout: expected seconds/),
    ]);
});
