import { expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { until } from '#test/until.ts';
import { startRawServer } from '../testing/raw-server.ts';
import { recordTags } from '../testing/tag-recorder.ts';
import { mqttConnection, mqttTag } from './mqtt-tag.testing.ts';
import { CONNACK, CONNECT, SUBSCRIBE, kindOf, publish, suback } from './packets.testing.ts';
import { createMqttProvider } from './provider.ts';

const NOT_MQTT = 'answers with something that is not MQTT';

/** Responses of the broker to CONNECT and to SUBSCRIBE, and the resulting state of the tag. */
const BROKERS: readonly [name: string, reason: string, onConnect: Buffer, onSubscribe: (packet: Buffer) => Buffer][] = [
  ['another protocol', NOT_MQTT, Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), () => Buffer.alloc(0)],
  ['zeros', NOT_MQTT, Buffer.alloc(1_000), () => Buffer.alloc(0)],
  ['a length without end', NOT_MQTT, Buffer.from([0x20, 0xff, 0xff, 0xff, 0xff, 0xff]), () => Buffer.alloc(0)],
  ['an unknown refusal', 'refuses the client: code 77', Buffer.from([0x20, 2, 0, 77]), () => Buffer.alloc(0)],
  ['the acceptance twice', NOT_MQTT, Buffer.concat([CONNACK, CONNACK]), () => Buffer.alloc(0)],
  [
    'a message of 256 MB announced',
    'more than 8388608 bytes',
    CONNACK,
    () => Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]),
  ],
  ['an answer for fewer topics', NOT_MQTT, CONNACK, (packet) => suback(packet, [])],
  ['an answer for more topics', NOT_MQTT, CONNACK, (packet) => suback(packet, [0, 0, 0])],
  [
    'an answer to something else',
    NOT_MQTT,
    CONNACK,
    (packet) => Buffer.from([0x40, 2, packet[2] ?? 0, packet[3] ?? 0]),
  ],
  ['a message in QoS 2', 'QoS 2', CONNACK, (packet) => Buffer.concat([suback(packet, [1]), publish(4, '5')])],
  ['a message in QoS 3', NOT_MQTT, CONNACK, (packet) => Buffer.concat([suback(packet, [1]), publish(6, '5')])],
];

test.each(BROKERS)(
  '%s: the tag reads bad (%s), and good again when the broker behaves',
  async (_name, reason, onConnect, onSubscribe) => {
    let hostile = true;
    await using server = await startRawServer((packet, socket) => {
      const kind = kindOf(packet);
      if (kind === CONNECT) socket.write(hostile ? onConnect : CONNACK);
      if (kind === SUBSCRIBE)
        socket.write(hostile ? onSubscribe(packet) : Buffer.concat([suback(packet, [1]), publish(0, '7')]));
    });
    const sink = recordTags();
    const guard = new TargetGuard([`127.0.0.1:${server.port}`]);
    const parts = { project: 'p', sink, log: createLogger('test', () => undefined), guard, random: () => 0 };
    const provider = createMqttProvider(mqttConnection(server.port), parts);
    try {
      provider.configure([mqttTag('a', { topic: 't' })]);
      await until('bad for that reason', () => sink.reason('a')?.includes(reason));
      hostile = false;
      await until('good', () => sink.value('a') === 7);
      expect(sink.reports.filter(({ is }) => is.quality === 'good').every(({ is }) => is.value === 7)).toBe(true);
    } finally {
      await provider.close();
    }
  },
);
