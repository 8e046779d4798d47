import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { until } from '#test/until.ts';
import { type RawServer, startRawServer } from '../testing/raw-server.ts';
import { type TagRecorder, recordTags } from '../testing/tag-recorder.ts';
import { mqttConnection, mqttTag } from './mqtt-tag.testing.ts';
import { CONNACK, CONNECT, PINGREQ, PINGRESP, SUBSCRIBE, kindOf, publish, suback } from './packets.testing.ts';
import { createMqttProvider } from './provider.ts';

const KEEP_ALIVE_SECONDS = 1;
const KEEP_ALIVE_MS = KEEP_ALIVE_SECONDS * 1_000;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function brokerThat(answers: (packet: Buffer, socket: Socket) => void): Promise<RawServer> {
  const server = await startRawServer(answers);
  open.push(async () => server[Symbol.asyncDispose]());
  return server;
}

function tagOf({ port }: RawServer): TagRecorder {
  const sink = recordTags();
  const parts = {
    project: 'p',
    sink,
    log: createLogger('test', () => undefined),
    guard: new TargetGuard([`127.0.0.1:${port}`]),
    random: () => 0,
    keepAliveSeconds: KEEP_ALIVE_SECONDS,
  };
  const provider = createMqttProvider(mqttConnection(port), parts);
  provider.configure([mqttTag('a', { topic: 't' })]);
  open.push(() => provider.close());
  return sink;
}

/** Data that arrives every 100 ms from a broker that does not respond to pings. */
const BUSY: readonly [name: string, next: (count: number) => Uint8Array][] = [
  ['message after message', () => publish(0, '7')],
  ['one message byte by byte', (count) => publish(0, '7'.repeat(100)).subarray(count, count + 1)],
];

test.each(BUSY)(
  'pings are sent in time while %s arrives, and the connection is closed when nothing arrives',
  async (_name, next) => {
    const heardMs: number[] = [];
    let count = 0;
    let busy: NodeJS.Timeout | undefined;
    const server = await brokerThat((packet, socket) => {
      heardMs.push(performance.now());
      if (kindOf(packet) === CONNECT) socket.write(CONNACK);
      if (kindOf(packet) !== SUBSCRIBE) return;
      socket.write(suback(packet, [0]));
      busy = setInterval(() => socket.write(next(count++)), 100);
    });
    open.push(async () => clearInterval(busy));
    const sink = tagOf(server);
    await until('the broker is busy', () => count > 0);
    await sleep(2.5 * KEEP_ALIVE_MS);
    clearInterval(busy);
    expect(server.accepted()).toBe(1);
    const gapsMs = heardMs.slice(1).map((ms, index) => ms - (heardMs[index] ?? 0));
    expect(heardMs.length).toBeGreaterThan(4);
    expect(Math.max(...gapsMs)).toBeLessThan(KEEP_ALIVE_MS);

    const quietSince = performance.now();
    await until('given up', () => sink.reason('a') === `no answer from 127.0.0.1:${server.port} within 1.5 s`);
    expect(performance.now() - quietSince).toBeGreaterThan(KEEP_ALIVE_MS);
  },
);

test('the reconnect delay grows when the session ends right after connecting, and is shortest after a working session', async () => {
  const connectedMs: number[] = [];
  let endedMs = 0;
  const server = await brokerThat((packet, socket) => {
    if (kindOf(packet) === PINGREQ) socket.write(PINGRESP);
    if (kindOf(packet) === SUBSCRIBE) socket.write(suback(packet, [0]));
    if (kindOf(packet) !== CONNECT) return;
    connectedMs.push(performance.now());
    socket.write(CONNACK);
    if (connectedMs.length < 3) socket.end();
    if (connectedMs.length !== 3) return;
    setTimeout(() => {
      endedMs = performance.now();
      socket.end();
    }, 2.3 * KEEP_ALIVE_MS);
  });
  tagOf(server);
  const [first = 0, second = 0, third = 0, fourth = 0] = await until(
    'a fourth session is open',
    () => connectedMs.length >= 4 && connectedMs,
  );
  // A fifth less than 0.5 and 1 s; after the third attempt it would be 1.6 s.
  expect(second - first).toBeGreaterThan(390);
  expect(third - second).toBeGreaterThan(790);
  expect(fourth - endedMs).toBeLessThan(1_200);
});
