import { expect, test } from 'vitest';
import { targetReplyMessages } from './reply-messages.ts';
import { egressTarget as target } from '#common/model/egress.testing.ts';
import { buffer } from './samples.testing.ts';

const texts = (...given: Parameters<typeof targetReplyMessages>) =>
  targetReplyMessages(...given).map(({ text }) => text);

test('the page reports when there is no target or nothing is waiting', () => {
  expect(texts([], buffer({}))).toEqual(['none']);
  expect(texts([target({})], buffer({}))).toEqual(['calm']);
});

test('waiting events are added up over the targets', () => {
  expect(targetReplyMessages([target({ queued: 8364 }), target({ id: 't2', queued: 30 })], buffer({}))).toEqual([
    { text: 'waits', tone: 'plain', count: 8394 },
  ]);
});

test('the target that fills the buffer first is named, with the colour of an alarm within a day', () => {
  const targets = [
    target({ queued: 5, fullInSeconds: 90_000 }),
    target({ id: 't2', target: 'https://erp.example:8443', queued: 9, fullInSeconds: 23_000 }),
  ];
  expect(targetReplyMessages(targets, buffer({ fullInSeconds: 22_800 }))[1]).toEqual({
    text: 'full',
    tone: 'alarm',
    target: 'erp.example:8443',
    seconds: 22_800,
  });
  expect(targetReplyMessages(targets, buffer({ fullInSeconds: 200_000 }))[1]).toMatchObject({ tone: 'strong' });
});

test('a forecast of years is not shown', () => {
  expect(texts([target({ queued: 1, fullInSeconds: 1e7 })], buffer({ fullInSeconds: 1e7 }))).toEqual(['waits']);
});

test('the page does not claim that nothing is lost while new events are refused', () => {
  const full = buffer({ trouble: 'the outbox is full', fullInSeconds: 0 });
  expect(texts([target({ queued: 3 })], full)).toEqual(['waitsRefusing', 'trouble']);
  expect(texts([target({})], full)).toEqual(['trouble']);
});

test('dead letters are shown in addition to everything else', () => {
  expect(texts([target({ dead: 2 }), target({ id: 't2', dead: 1, queued: 1 })], buffer({}))).toEqual(['waits', 'dead']);
});
