import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '#test/until.ts';
import { Pace } from '../pace.ts';
import { grantsPrincipal } from '../principal.ts';
import { MessageBus } from './bus.ts';

const MESSAGES = 100;
const RUN_MS = 2;

/** A run that only computes and never waits. */
function compute(): void {
  const endMs = performance.now() + RUN_MS;
  while (performance.now() < endMs);
}

test('many messages at once, whose runs never wait, let the event loop serve others in between', async () => {
  const bus = new MessageBus(new Pace());
  const received: unknown[] = [];
  bus.receive('p', 'lines', 'receiver', ({ payload }) => {
    compute();
    received.push(payload);
    return true;
  });
  const payloads = Array.from({ length: MESSAGES }, (_, n) => n);
  for (const payload of payloads)
    bus.send('p', 'lines', { payload, bytes: 8, sender: grantsPrincipal(0), origin: {}, hops: 1 });
  await nextTurn();
  await nextTurn();
  expect(received.length).toBeLessThan(MESSAGES);
  await until('all were received', () => received.length === MESSAGES);
  expect(received).toEqual(payloads);
});

test('messages waiting for a receiver are limited in bytes too, but one message is always accepted', async () => {
  const bus = new MessageBus(new Pace());
  let open = false;
  const received: unknown[] = [];
  const subscription = bus.receive('p', 'lines', 'receiver', ({ payload }) => {
    if (open) received.push(payload);
    return open;
  });
  const send = (payload: string, mib: number) =>
    bus.send('p', 'lines', { payload, bytes: mib * 1024 * 1024, sender: grantsPrincipal(0), origin: {}, hops: 1 });
  send('a', 65);
  expect(() => send('b', 1)).toThrow('67108864 bytes wait');
  open = true;
  subscription.ready();
  await until('it is received', () => received.length === 1);
  open = false;
  send('c', 32);
  send('d', 32);
  expect(() => send('e', 1)).toThrow('67108864 bytes wait');
  const successor: unknown[] = [];
  bus.receive('p', 'lines', 'receiver', ({ payload }) => successor.push(payload) > 0);
  expect(subscription.end()).toBe(0);
  await until('its successor has them', () => successor.length === 2);
  send('f', 64);
});
