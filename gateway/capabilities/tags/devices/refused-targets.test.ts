import { describe, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { startModbusPeer } from '#test/peers/modbus-peer.ts';
import { startMqttPeer } from '#test/peers/mqtt-peer.ts';
import { makeCertificate } from '#test/peers/opcua-certificates.ts';
import { startOpcuaPeer } from '#test/peers/opcua-peer.ts';
import { opcuaSettings, opcuaTag } from '#test/peers/opcua-tags.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until, within } from '#test/until.ts';
import { peer, write } from './peers.testing.ts';
import { modbusConnection, modbusTag } from '../modbus/modbus-tag.testing.ts';
import { mqttConnection, mqttTag } from '../mqtt/mqtt-tag.testing.ts';
import { openDevices } from './devices.testing.ts';

/** The effect on an open link when its address is removed from the list. */
const at = (port: number) => `127.0.0.1:${port}`;
const refused = (port: number) =>
  `${at(port)} is an address of this machine or its network link; allow it with the setting "allowed internal targets"`;
const word = modbusTag('word', { poll: 0.05, table: 'holding', address: 0 });
/** Longer than the first delay of a reconnect. */
const BACK_MS_MAX = 5_000;

describe('an address that is removed from the list', () => {
  test('of a Modbus device: tags are bad with the reason and not written once acknowledged, another device is unaffected, and they recover by themselves', async () => {
    const [port, otherPort] = [await freePort(), await freePort()];
    const plc = await peer(startModbusPeer({ port, values: { holding: { 0: 1 } } }));
    await peer(startModbusPeer({ port: otherPort, values: { holding: { 0: 2 } } }));
    await using devices = openDevices({ allowed: [at(port), at(otherPort)] });
    const { sink, provider } = devices.provide(modbusConnection(port), [word]);
    const other = devices.provide(modbusConnection(otherPort), [word]);
    await until('good', () => sink.value('word') === 1 && other.sink.value('word') === 2);
    const from = other.sink.reports.length;

    await within(1_900, 'the settings are taken', devices.drivers.settings([at(otherPort)]));
    expect(sink.reason('word')).toBe(refused(port));
    const told = sink.reports.length;
    await expect(write(provider, word, 5)).rejects.toMatchObject({
      code: 'target_refused',
      message: `tag "word" cannot be written: ${refused(port)}`,
    });
    const { reads, values } = await plc.report();
    expect(values.holding).toEqual({ 0: 1 });
    await until('the other was polled', () => other.sink.reports.length > from + 10);
    expect((await plc.report()).reads).toHaveLength(reads.length);
    expect(sink.reports.slice(told).filter(({ is }) => is.quality === 'good')).toEqual([]);
    expect(other.sink.reports.slice(from).filter(({ is }) => is.quality !== 'good')).toEqual([]);
    expect(devices.lines.filter((line) => line.includes('a Modbus device answers'))).toHaveLength(2);

    await devices.drivers.settings([at(otherPort), at(port)]);
    await until('good again', () => sink.value('word') === 1, { timeoutMs: BACK_MS_MAX });
    await write(provider, word, 6);
    await until('read back', () => sink.value('word') === 6);
  });

  test('of a Modbus device that has not answered a write: the write reports that its outcome is unknown', async () => {
    const port = await freePort();
    const plc = await peer(startModbusPeer({ port, values: { holding: { 0: 1 } } }));
    await using devices = openDevices({ allowed: [at(port)] });
    const { sink, provider } = devices.provide(modbusConnection(port, 10), [word]);
    await until('good', () => sink.isGood('word'));
    plc.hang(true);
    const writing = write(provider, word, 5).catch((error: unknown) => error);
    await devices.drivers.settings([]);
    expect(await writing).toMatchObject({ code: 'target_refused', message: expect.stringContaining(refused(port)) });
    expect(sink.reason('word')).toBe(refused(port));
    plc.hang(false);
  });

  test('of a device with more tags than one batch holds: all of them report it once acknowledged', async () => {
    const port = await freePort();
    const broker = await peer(startMqttPeer({ port }));
    await using devices = openDevices({ allowed: [at(port)] });
    const tags = Array.from({ length: 5_000 }, (_, index) => mqttTag(`t${index}`, { topic: 'a' }));
    const { sink } = devices.provide(mqttConnection(port), tags);
    await until('subscribed', async () => (await broker.report()).subscribed.includes('a'));
    broker.publish('a', '1');
    await until('good', () => tags.every(({ path }) => sink.isGood(path)));
    await devices.drivers.settings([]);
    expect(tags.filter(({ path }) => sink.reason(path) !== refused(port))).toEqual([]);
  });

  test('of an MQTT broker: tags are bad with the reason, messages are ignored, writes are refused, and they recover by themselves', async () => {
    const port = await freePort();
    const broker = await peer(startMqttPeer({ port }));
    await using devices = openDevices({ allowed: [at(port)] });
    const tag = mqttTag('a', { topic: 'a', qos: 1 });
    const { sink, provider } = devices.provide(mqttConnection(port), [tag]);
    await until('subscribed', async () => (await broker.report()).subscribed.includes('a'));
    broker.publish('a', '1');
    await until('good', () => sink.value('a') === 1);
    await devices.drivers.settings([]);
    expect(sink.reason('a')).toBe(refused(port));
    await expect(write(provider, tag, 5)).rejects.toMatchObject({ code: 'target_refused' });
    expect((await broker.report()).published).toEqual([]);
    await devices.drivers.settings([at(port)]);
    await until('connected again', () => sink.reason('a')?.startsWith('no message from'), { timeoutMs: BACK_MS_MAX });
    await write(provider, tag, 6);
    await until('the change is reported', () => sink.value('a') === 6);
  });

  test('of an OPC UA server: tags are bad with the reason, writes are refused, and they recover by themselves', async () => {
    await using dir = await tempDir();
    const port = await freePort();
    await peer(startOpcuaPeer(dir.path, { port, ...(await makeCertificate(dir.path, 'server')) }));
    await using devices = openDevices({ dataDir: dir.path, allowed: [at(port)] });
    const settings = { ...opcuaSettings(port, { securityMode: 'None' }), id: 'plc' };
    const tag = opcuaTag('Double');
    const { sink, provider } = devices.provide(settings, [tag]);
    await until('good', () => sink.value('Double') === 21.25, { timeoutMs: 30_000 });
    await devices.drivers.settings([]);
    expect(sink.reason('Double')).toBe(refused(port));
    await expect(write(provider, tag, 3.5)).rejects.toMatchObject({ code: 'target_refused', message: refused(port) });
    await devices.drivers.settings([at(port)]);
    await until('good again', () => sink.value('Double') === 21.25, { timeoutMs: 10_000 });
    await write(provider, tag, 4.5);
    await until('read back', () => sink.value('Double') === 4.5);
  });
});
