import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '#test/until.ts';
import { grantsPrincipal } from '../principal.ts';
import { MessageBus } from './bus.ts';

const MESSAGES = 100;
const RUN_MS = 2;

/** A run that waits for nothing and computes. */
function compute(): void {
  const endMs = performance.now() + RUN_MS;
  while (performance.now() < endMs);
}

test('many messages at once, whose runs wait for nothing, let others have the event loop between them', async () => {
  const bus = new MessageBus();
  const received: unknown[] = [];
  bus.receive('p', 'lines', 'receiver', ({ payload }) => {
    compute();
    received.push(payload);
    return true;
  });
  const payloads = Array.from({ length: MESSAGES }, (_, n) => n);
  for (const payload of payloads) bus.send('p', 'lines', { payload, sender: grantsPrincipal(0), hops: 1 });
  await nextTurn();
  await nextTurn();
  expect(received.length).toBeLessThan(MESSAGES);
  await until('all were received', () => received.length === MESSAGES);
  expect(received).toEqual(payloads);
});
