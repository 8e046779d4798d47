import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { afterEach, describe, expect, test } from 'vitest';
import type { TagDefinition } from '#common/model/tag.ts';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { freePort } from '#test/free-port.ts';
import {
  MOSQUITTO,
  type MqttBrokerOptions,
  type MqttPeer,
  makeCertificates,
  startMosquitto,
  startMqttPeer,
} from '#test/peers/mqtt-peer.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import type { TagProvider } from '../contract.ts';
import { clockMs } from '../send-before.ts';
import { type TagRecorder, recordTags } from '../testing/tag-recorder.ts';
import { mqttConnection, mqttTag } from './mqtt-tag.testing.ts';
import type { MqttConnection } from './open-stream.ts';
import { probeMqtt } from './probe.ts';
import { type MqttParts, createMqttProvider } from './provider.ts';

const PASSWORD = 'correct horse battery';
/** Mosquitto checks every 5 s for clients that were silent for 1.5 keep-alives. */
const BROKER_NOTICES_MS = 7_000;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function peerOn(port: number, options: Omit<MqttBrokerOptions, 'port'> = {}): Promise<MqttPeer> {
  const peer = await startMqttPeer({ port, ...options });
  open.push(() => peer.kill());
  return peer;
}

interface Provided {
  guard: TargetGuard;
  sink: TagRecorder;
  provider: TagProvider;
  log: string[];
}

function provide(
  connection: MqttConnection,
  tags: readonly TagDefinition[],
  more: Pick<MqttParts, 'keepAliveSeconds'> = {},
): Provided {
  const sink = recordTags();
  const log: string[] = [];
  const guard = new TargetGuard([`127.0.0.1:${connection.port}`, `localhost:${connection.port}`]);
  const logger = createLogger('test', (line) => log.push(line));
  const parts = { project: 'p', sink, log: logger, guard, random: () => 0, ...more };
  const provider = createMqttProvider(connection, parts);
  provider.configure(tags);
  open.push(() => provider.close());
  return { guard, sink, provider, log };
}

const waiting = (sink: TagRecorder, path: string) => () => sink.reason(path)?.startsWith('no message from');
const accepted = ({ log }: Provided) => log.filter((line) => line.includes('accepted the connection')).length;
const write = (provider: TagProvider, to: TagDefinition, value: unknown) =>
  provider.write(to, value, AbortSignal.timeout(5_000));

describe('reading from aedes', () => {
  test('a topic is subscribed once for all its tags; retained messages are values; malformed ones are bad', async () => {
    const port = await freePort();
    const peer = await peerOn(port);
    peer.publish('line/1', '{"t":21.5,"p":3}', { retain: true });
    const tags = [
      mqttTag('t', { topic: 'line/1', jsonPath: 't' }),
      mqttTag('p', { topic: 'line/1', jsonPath: 'p' }),
      mqttTag('q', { topic: 'line/1', jsonPath: 'q' }),
      mqttTag('on', { topic: 'line/on', qos: 2 }, { type: 'boolean' }),
    ];
    const { sink, provider } = provide(mqttConnection(port), tags);
    await until('the retained values are read', () => sink.isGood('t') && sink.isGood('p'));
    expect(sink.reason('q')).toBe('the message has nothing at "q"');
    expect([sink.value('t'), sink.value('p')]).toEqual([21.5, 3]);
    await until('the quiet topic waits', waiting(sink, 'on'));
    peer.publish('line/on', 'ON');
    await until('its value is read', () => sink.value('on') === true);
    expect((await peer.report()).subscribed.toSorted()).toEqual(['line/1', 'line/on']);
    peer.publish('line/1', '{"t":');
    await until('bad', () => sink.reason('t') === 'the message is not JSON');
    expect(sink.isGood('p')).toBe(false);
    expect(sink.isGood('on')).toBe(true);
    peer.publish('line/1', '{"t":7,"p":3}', { retain: true });
    await until('good again', () => sink.value('t') === 7);

    provider.configure([...tags, mqttTag('late', { topic: 'line/1', jsonPath: 'p' })]);
    await until('a tag made later gets the retained message', () => sink.value('late') === 3);
    provider.configure(tags.slice(3));
    const told = sink.reports.length;
    peer.publish('line/1', '{"t":8,"p":3}');
    peer.publish('line/on', 'off');
    await until('the other topic continues', () => sink.value('on') === false);
    expect(sink.reports.slice(told).map(({ path }) => path)).toEqual(['on']);
  });

  test('a subscription that the broker refuses is reported only on its tags', async () => {
    const port = await freePort();
    const peer = await peerOn(port, { forbiddenTopic: 'secret' });
    const { sink } = provide(mqttConnection(port), [
      mqttTag('a', { topic: 'secret' }),
      mqttTag('b', { topic: 'open' }),
    ]);
    await until('refused', () => sink.reason('a') === `127.0.0.1:${port} refuses the subscription to "secret"`);
    peer.publish('open', '1');
    await until('the other reads', () => sink.isGood('b'));
  });

  test('a flood is reduced to the latest values and leaves the event loop free', async () => {
    const port = await freePort();
    const peer = await peerOn(port);
    const { sink } = provide(mqttConnection(port), [
      mqttTag('n', { topic: 'flood' }),
      mqttTag('end', { topic: 'end' }),
    ]);
    await until('subscribed', async () => (await peer.report()).subscribed.length === 2);
    let longest = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    peer.publish('flood', '#', { times: 5_000 });
    peer.publish('end', '1');
    await until('the last value', () => sink.value('n') === 4_999 && sink.isGood('end'), { timeoutMs: 30_000 });
    clearInterval(beat);
    expect(sink.reports.filter(({ path }) => path === 'n').length).toBeLessThan(500);
    expect(longest).toBeLessThan(500);
  });
});

describe('a broker that disappears', () => {
  test('killed: tags are bad with the reason at once and never stale, and recover by themselves', async () => {
    const port = await freePort();
    const first = await peerOn(port);
    first.publish('a', '11', { retain: true });
    const tag = mqttTag('a', { topic: 'a' });
    const { sink, provider } = provide(mqttConnection(port), [tag]);
    await until('good', () => sink.isGood('a'));
    await first.kill();
    await until('bad', () => !sink.isGood('a'), { timeoutMs: 2_000 });
    await until('the refusal is the reason', () => sink.reason('a') === `127.0.0.1:${port} refuses the connection`);
    const away = sink.reports.length;
    await expect(write(provider, tag, 1)).rejects.toMatchObject({ code: 'device_unreachable' });

    const second = await peerOn(port);
    await until('connected', waiting(sink, 'a'));
    expect(sink.isGood('a')).toBe(false);
    second.publish('a', '12', { retain: true });
    await until('good again', () => sink.value('a') === 12);
    expect(sink.reports.slice(away).filter(({ is }) => is.value === 11)).toEqual([]);
  });

  test('hanging with an open socket: lost within 1.5 keep-alives', async () => {
    const port = await freePort();
    const peer = await peerOn(port);
    peer.publish('a', '1', { retain: true });
    const { sink } = provide(mqttConnection(port), [mqttTag('a', { topic: 'a' })]);
    await until('good', () => sink.isGood('a'));
    peer.hang(true);
    await until('the connection is lost', () => sink.reason('a') === `no answer from 127.0.0.1:${port} within 7.5 s`, {
      timeoutMs: 12_000,
    });
    peer.hang(false);
    await until('good again', () => sink.isGood('a'), { timeoutMs: 15_000 });
  });

  test('a wrong user or password is the reason, and the password is in no log and no reason', async () => {
    const port = await freePort();
    await peerOn(port, { user: 'sluice', password: PASSWORD });
    const wrong = mqttConnection(port, { user: 'sluice', password: `${PASSWORD}!` });
    const { sink, log } = provide(wrong, [mqttTag('a', { topic: 'a' })]);
    await until('refused', () => sink.reason('a')?.includes('the user is not allowed to connect'));
    expect(log.length).toBeGreaterThan(0);
    expect(JSON.stringify([log, sink.reports])).not.toContain(PASSWORD);
    const guard = new TargetGuard([`127.0.0.1:${port}`]);
    expect(await probeMqtt(wrong, { guard })).toMatchObject({
      ok: false,
      text: expect.stringContaining('refuses the client'),
    });
    const right = mqttConnection(port, { user: 'sluice', password: PASSWORD });
    expect(await probeMqtt(right, { guard })).toEqual({
      ok: true,
      text: expect.stringMatching(/^MQTT broker accepted the connection in \d+ ms$/),
      durationMs: expect.any(Number),
    });
    expect(await probeMqtt(right, { guard: new TargetGuard([]) })).toMatchObject({ ok: false });
  });
});

describe('writing to aedes', () => {
  test.each([0, 1, 2])('with QoS %i the broker has the message when the write completes', async (qos) => {
    const port = await freePort();
    const peer = await peerOn(port);
    const tag = mqttTag('speed', { topic: 'state', writeTopic: 'set', jsonPath: 'speed.value', qos, retain: true });
    const { sink, provider } = provide(mqttConnection(port), [tag]);
    await until('connected', waiting(sink, 'speed'));
    await write(provider, tag, 5);
    const published = await until('published', async () => {
      const report = await peer.report();
      return report.published.length > 0 && report.published;
    });
    expect(published).toEqual([{ topic: 'set', payload: '{"speed":{"value":5}}', retain: true, qos }]);
    await expect(provider.write(tag, 5, AbortSignal.abort())).rejects.toThrow();
    const late = provider.write(tag, 6, AbortSignal.timeout(5_000), clockMs() - 1);
    await expect(late).rejects.toMatchObject({ code: 'interlock' });
    expect((await peer.report()).published).toHaveLength(1);
  });
});

describe.skipIf(!existsSync(MOSQUITTO))(
  'mosquitto from Debian (skipped where the package mosquitto is not installed)',
  () => {
    test('two clients with the same client ID take over the session ever more slowly, and report the likely cause', async () => {
      await using folder = await tempDir();
      const port = await freePort();
      const broker = await startMosquitto(folder.path, { port, user: 'sluice', password: PASSWORD });
      open.push(() => broker.kill());
      const startedAt = performance.now();
      const same = mqttConnection(port, { clientId: 'line-7', user: 'sluice', password: PASSWORD });
      const both = [1, 2].map(() => provide(same, [mqttTag('a', { topic: 'a' })]));
      const says = `127.0.0.1:${port} closes the connection soon after it accepts it; does another client use the client id "line-7"?`;
      for (const { sink } of both)
        await until('the likely cause is reported', () => sink.reports.some(({ is }) => is.reason === says));
      await until('a fourth session is open', () => both.some((one) => accepted(one) >= 4), { timeoutMs: 20_000 });
      // Delays of 0.4, 0.8 and 1.6 s; without growth it would be 1.2 s in total.
      expect(performance.now() - startedAt).toBeGreaterThan(2_700);
    });

    test('a device that publishes more often than the keep-alive loses neither the connection nor a value', async () => {
      await using folder = await tempDir();
      const port = await freePort();
      const user = { user: 'sluice', password: PASSWORD };
      const broker = await startMosquitto(folder.path, { port, ...user });
      open.push(() => broker.kill());
      const provided = provide(mqttConnection(port, user), [mqttTag('a', { topic: 'a' })], { keepAliveSeconds: 1 });
      await until('connected', waiting(provided.sink, 'a'));
      const options = { username: user.user, password: user.password, reconnectPeriod: 0 };
      const device = await connectAsync(`mqtt://127.0.0.1:${port}`, options);
      open.push(() => device.endAsync(true));
      let sent = 0;
      for (const endMs = performance.now() + BROKER_NOTICES_MS; performance.now() < endMs; await sleep(100)) {
        await device.publishAsync('a', String(++sent), { qos: 0 });
        await until(`value ${sent}`, () => provided.sink.value('a') === sent, { timeoutMs: 2_000 });
      }
      expect(accepted(provided)).toBe(1);
    });

    test('user and password, TLS with a client certificate; killed and back', async () => {
      await using folder = await tempDir();
      const files = makeCertificates(folder.path);
      const port = await freePort();
      const start = () => startMosquitto(folder.path, { port, user: 'sluice', password: PASSWORD, tls: files });
      const first = await start();
      open.push(() => first.kill());
      const pem = async (file: string) => readFile(file, 'utf8');
      const secure = {
        host: 'localhost',
        tls: 'verify',
        ca: await pem(files.ca),
        clientCertificate: await pem(files.clientCert),
        clientKey: await pem(files.clientKey),
        user: 'sluice',
        password: PASSWORD,
      };
      const tag = mqttTag('a', { topic: 'a', qos: 1, retain: true });
      const { guard: own, sink, provider, log } = provide(mqttConnection(port, secure), [tag]);
      await until('connected', waiting(sink, 'a'));
      await write(provider, tag, 42);
      await until('read back', () => sink.value('a') === 42);

      const guard = new TargetGuard([`localhost:${port}`, `127.0.0.1:${port}`]);
      const reasonWith = async (more: object) =>
        (await probeMqtt(mqttConnection(port, { ...secure, ...more }), { guard })).text;
      expect(await reasonWith({})).toContain('accepted the connection');
      expect(await reasonWith({ ca: null })).toContain('is not trusted');
      expect(await reasonWith({ ca: null, tls: 'encrypt' })).toContain('accepted the connection');
      expect(await reasonWith({ host: '127.0.0.1' })).toContain('is for another host name');
      expect(await reasonWith({ clientCertificate: null, clientKey: null })).not.toContain('accepted');
      expect(await reasonWith({ clientKey: 'no key' })).toContain('TLS with');
      expect(await reasonWith({ tls: 'off' })).not.toContain('accepted');
      expect(await reasonWith({ password: 'wrong' })).toContain('refuses the client');

      own.configure([]);
      await until('refused', () => sink.reason('a')?.startsWith(`localhost:${port} is an address of this machine`));
      await expect(write(provider, tag, 1)).rejects.toMatchObject({ code: 'target_refused' });
      own.configure([`localhost:${port}`]);
      await until('allowed again, with what the broker kept', () => sink.value('a') === 42);

      await first.kill();
      await until('bad', () => !sink.isGood('a'), { timeoutMs: 2_000 });
      const second = await start();
      open.push(() => second.kill());
      await until('connected again', waiting(sink, 'a'));
      await write(provider, tag, 43);
      await until('good again', () => sink.value('a') === 43);
      expect(JSON.stringify([log, sink.reports])).not.toMatch(/correct horse|PRIVATE KEY/);
      await second.kill();
    });
  },
);
