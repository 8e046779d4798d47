import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { startModbusPeer } from '#test/peers/modbus-peer.ts';
import { startMqttPeer } from '#test/peers/mqtt-peer.ts';
import { startOpcuaPeer } from '#test/peers/opcua-peer.ts';
import { opcuaSettings, opcuaTag } from '#test/peers/opcua-tags.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { peer, write } from './peers.testing.ts';
import { modbusConnection, modbusTag } from '../modbus/modbus-tag.testing.ts';
import { mqttConnection, mqttTag } from '../mqtt/mqtt-tag.testing.ts';
import { clockMs } from '../send-before.ts';
import { openDevices } from './devices.testing.ts';
import { measureLag } from './lag-meter.testing.ts';

/** The real libraries in the thread, against real peers; other tests cover the features of each provider. */
const modbus = (path: string, source: object) => modbusTag(path, { poll: 0.05, ...source });
const word = modbus('word', { table: 'holding', address: 0 });

describe('Modbus', () => {
  test('reads values, writes them, and reports write errors with their codes', async () => {
    const port = await freePort();
    const plc = await peer(startModbusPeer({ port, values: { holding: { 0: 7 } }, refused: [300] }));
    await using devices = openDevices({ allowed: [`127.0.0.1:${port}`] });
    const refused = modbus('refused', { table: 'holding', address: 300 });
    const input = modbus('input', { table: 'input', address: 0 });
    const { sink, provider } = devices.provide(modbusConnection(port), [word, refused, input]);
    await until('good', () => sink.value('word') === 7 && sink.isGood('input'));
    expect(sink.reason('refused')).toBe('illegal data address');
    await write(provider, word, 8);
    await until('read back', () => sink.value('word') === 8);
    const late = provider.write(word, 9, AbortSignal.timeout(8_000), clockMs() - 1);
    await expect(late).rejects.toMatchObject({ code: 'interlock' });
    expect((await plc.report()).values.holding).toMatchObject({ 0: 8 });
    await expect(write(provider, word, 70_000)).rejects.toMatchObject({ code: 'tag_type' });
    await expect(write(provider, input, 1)).rejects.toMatchObject({ code: 'tag_read_only' });
    const failed = { code: 'tag_write_failed', message: 'tag "refused" was not written: illegal data address' };
    await expect(write(provider, refused, 1)).rejects.toMatchObject(failed);
    expect(await devices.drivers.probe(modbusConnection(port))).toMatchObject({ ok: true });
  });

  test('a killed device is lost with the reason, recovers by itself, and is refused if it is no longer allowed', async () => {
    const port = await freePort();
    const start = (value: number) => peer(startModbusPeer({ port, values: { holding: { 0: value } } }));
    const first = await start(1);
    await using devices = openDevices({ allowed: [`127.0.0.1:${port}`] });
    const { sink, provider } = devices.provide(modbusConnection(port), [word]);
    await until('good', () => sink.value('word') === 1);
    await first.kill();
    await until('the connection is lost', () => !sink.isGood('word'), { timeoutMs: 2_000 });
    await until('the reason is reported', () => sink.reason('word') === `127.0.0.1:${port} refuses the connection`);
    await expect(write(provider, word, 1)).rejects.toMatchObject({ code: 'device_unreachable' });
    const second = await start(2);
    await until('good again', () => sink.value('word') === 2);

    await second.kill();
    await until('lost again', () => !sink.isGood('word'));
    await devices.drivers.settings([]);
    await start(3);
    await until('refused', () => sink.reason('word')?.includes('allowed internal targets'));
    expect(await devices.drivers.probe(modbusConnection(port))).toMatchObject({
      ok: false,
      text: expect.stringContaining('allowed internal targets'),
    });
    expect(sink.reports.some(({ is }) => is.value === 3)).toBe(false);
    await devices.drivers.settings([`127.0.0.1:${port}`]);
    await until('allowed again', () => sink.value('word') === 3);
  });

  test('tags are lost at once when the thread dies, and reconnect by themselves with the current value', async () => {
    const port = await freePort();
    const plc = await peer(startModbusPeer({ port, values: { holding: { 0: 1 } } }));
    await using devices = openDevices({ allowed: [`127.0.0.1:${port}`] });
    const { sink, provider } = devices.provide(modbusConnection(port), [word]);
    await until('good', () => sink.isGood('word'));
    devices.drivers.restart('for the test');
    expect(sink.reason('word')).toBe('the device drivers are being restarted');
    plc.tell({ do: 'set', table: 'holding', address: 0, value: 2 });
    await until('good again', () => sink.isGood('word'));
    expect(sink.value('word')).toBe(2);
    await write(provider, word, 5);
    await until('read back', () => sink.value('word') === 5);
  });
});

describe('MQTT', () => {
  test('delivers messages in order and a write, and recovers from a killed broker', async () => {
    const port = await freePort();
    const first = await peer(startMqttPeer({ port }));
    await using devices = openDevices({ allowed: [`127.0.0.1:${port}`] });
    const tag = mqttTag('a', { topic: 'a', qos: 0 });
    const { sink, provider } = devices.provide(mqttConnection(port), [tag]);
    await until('subscribed', async () => (await first.report()).subscribed.includes('a'));
    first.publish('a', '#', { times: 200 });
    await until('the last value arrived', () => sink.value('a') === 199);
    const values = sink.reports.flatMap(({ is }) => (typeof is.value === 'number' ? [is.value] : []));
    expect(values).toEqual(values.toSorted((one, other) => one - other));
    await write(provider, tag, 7);
    await until('the change is reported', () => sink.value('a') === 7);
    expect((await first.report()).published).toMatchObject([{ topic: 'a', payload: '7' }]);
    expect(await devices.drivers.probe(mqttConnection(port))).toMatchObject({ ok: true });
    await first.kill();
    await until('the connection is lost', () => !sink.isGood('a'), { timeoutMs: 2_000 });
    const second = await peer(startMqttPeer({ port }));
    await until('subscribed again', async () => (await second.report()).subscribed.includes('a'));
    second.publish('a', '8');
    await until('good again', () => sink.value('a') === 8);
  });
});

describe('OPC UA', () => {
  /** A shared machine stalls this process for longer than the thread does: without the thread it is 1,700 ms. */
  const BLOCK_MS_MAX = 500;

  test('loading the library blocks nothing; values, a write, a killed server and its return work', async () => {
    await using dir = await tempDir();
    const port = await freePort();
    const options = { port, ...(await serverCertificate(dir.path)) };
    const first = await peer(startOpcuaPeer(dir.path, options));
    const standby = await peer(startOpcuaPeer(dir.path, { ...options, standby: true }));
    await using devices = openDevices({ dataDir: dir.path, allowed: [`127.0.0.1:${port}`] });
    const settings = { ...opcuaSettings(port, { securityMode: 'None' }), id: 'plc' };
    const tags = [opcuaTag('Double'), opcuaTag('List'), opcuaTag('Long')];
    const lag = measureLag();
    const { sink, provider } = devices.provide(settings, tags);
    await until('good', () => sink.isGood('Double') && sink.isGood('List'), { timeoutMs: 30_000 });
    lag.stop();
    expect([sink.value('Double'), sink.value('List')]).toEqual([21.25, [1, 2, 3]]);
    await until(
      'the long value is read',
      () => sink.reason('Long') === 'a string of 70000 characters; expected at most 65536',
    );
    expect(lag.longestMs()).toBeLessThan(BLOCK_MS_MAX);

    const tag = opcuaTag('Double');
    await write(provider, tag, 3.5);
    await until('read back', () => sink.value('Double') === 3.5);
    await expect(write(provider, tag, 'no number')).rejects.toMatchObject({ name: 'NodeError' });
    expect(await devices.drivers.probe(settings)).toMatchObject({ ok: true, text: expect.stringContaining('Filler') });

    await first.kill();
    await until('the connection is lost', () => tags.every(({ path }) => !sink.isGood(path)), { timeoutMs: 2_000 });
    await standby.listen();
    await until('good again', () => sink.value('Double') === 21.25, { timeoutMs: 30_000 });
  });
});

/** Created in another process, because the library that creates it must not be loaded in this one. */
async function serverCertificate(folder: string) {
  const maker = new URL('./make-certificate.testing.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [maker, folder]);
  return JSON.parse(stdout) as { certificateFile: string; privateKeyFile: string; applicationUri: string };
}
