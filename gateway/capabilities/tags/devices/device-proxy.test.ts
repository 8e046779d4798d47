import { expect, test } from 'vitest';
import { mqttConnection, mqttTag } from '../mqtt/mqtt-tag.testing.ts';
import { recordTags } from '../testing/tag-recorder.ts';
import { DeviceProxy } from './device-proxy.ts';
import type { Order } from './messages.ts';

function proxy() {
  const orders: Order[] = [];
  const sink = recordTags();
  const host = {
    trouble: null as string | null,
    order: (order: Order) => void orders.push(order),
    write: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const made = new DeviceProxy({ id: 7, project: 'p', device: mqttConnection(1), sink, host });
  const tell = (version: number, path: string, value: unknown) =>
    made.take({ id: 7, version, path, sample: { value, quality: 'good', reason: null, time: 0 } });
  return { made, orders, sink, host, tell };
}

test('a value from the previous source of a tag is dropped, even if it arrives late', () => {
  const { made, sink, tell } = proxy();
  made.configure([mqttTag('a', { topic: 'old' }), mqttTag('b', { topic: 'b' })]);
  tell(1, 'a', 'old');
  made.configure([mqttTag('a', { topic: 'new' }), mqttTag('b', { topic: 'b' }, { title: 'another' })]);
  expect([sink.isGood('a'), sink.reason('a')]).toEqual([false, 'there is no value from the device yet']);
  tell(1, 'a', 'old');
  tell(1, 'b', 'kept');
  expect([sink.isGood('a'), sink.value('b')]).toEqual([false, 'kept']);
  tell(2, 'a', 'new');
  expect(sink.value('a')).toBe('new');
});

test('a new thread receives the current tags, and while there is none, new tags say why they have no value', () => {
  const { made, orders, sink, host } = proxy();
  host.trouble = 'being restarted';
  made.configure([mqttTag('a', { topic: 'a' })]);
  expect([orders, sink.reason('a')]).toEqual([[], 'being restarted']);
  made.reopen();
  expect(orders).toMatchObject([
    { do: 'open', id: 7, project: 'p' },
    { do: 'configure', id: 7, version: 1, tags: [{ path: 'a' }] },
  ]);
});
