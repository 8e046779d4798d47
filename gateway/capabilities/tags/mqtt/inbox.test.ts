import { expect, test } from 'vitest';
import { until } from '#test/until.ts';
import { Inbox } from './inbox.ts';
import type { Message } from './payload.ts';

function inboxOf(): { inbox: Inbox; delivered: [string, string][] } {
  const delivered: [string, string][] = [];
  const deliver = (topic: string, { payload }: Message) => void delivered.push([topic, String(payload)]);
  return { inbox: new Inbox(deliver), delivered };
}

test('of many messages on a topic in one turn the last is delivered, for every topic', async () => {
  const { inbox, delivered } = inboxOf();
  for (const value of ['1', '2', '3']) inbox.accept('a', Buffer.from(value), () => undefined);
  inbox.accept('b', Buffer.from('4'), () => undefined);
  expect(delivered).toEqual([]);
  await until('delivered', () => delivered.length === 2);
  expect(delivered).toEqual([
    ['a', '3'],
    ['b', '4'],
  ]);
  inbox.close();
});

test.each([
  ['500 messages', 500, 1],
  ['32 MiB on different topics', 33, 1 << 20],
])('after %s in one turn the broker waits for the next turn', async (_name, count, bytes) => {
  const { inbox } = inboxOf();
  let asked = 0;
  for (let index = 0; index < count; index++) inbox.accept(`t${index}`, Buffer.alloc(bytes), () => asked++);
  expect(asked).toBe(count - 1);
  await until('asked for more', () => asked === count);
  inbox.close();
});

test('nothing is delivered after the end', async () => {
  const { inbox, delivered } = inboxOf();
  inbox.accept('a', Buffer.from('1'), () => undefined);
  inbox.close();
  const other = inboxOf();
  other.inbox.accept('a', Buffer.from('1'), () => undefined);
  await until('a later inbox has delivered', () => other.delivered.length === 1);
  expect(delivered).toEqual([]);
  other.inbox.close();
});
