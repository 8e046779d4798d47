import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { freePort } from '#test/free-port.ts';
import { type ModbusPeer, type ModbusServerOptions, startModbusPeer } from '#test/peers/modbus-peer.ts';
import { until } from '#test/until.ts';
import type { TagProvider } from '../contract.ts';
import { clockMs } from '../send-before.ts';
import { type TagRecorder, recordTags } from '../testing/tag-recorder.ts';
import { modbusConnection, modbusTag } from './modbus-tag.testing.ts';
import { probeModbus } from './probe.ts';
import { createModbusProvider } from './provider.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function peerOn(port: number, options: Omit<ModbusServerOptions, 'port'> = {}): Promise<ModbusPeer> {
  const peer = await startModbusPeer({ port, ...options });
  open.push(() => peer.kill());
  return peer;
}

function provide(
  port: number,
  tags: readonly TagDefinition[],
  timeout?: number,
): { sink: TagRecorder; provider: TagProvider } {
  const sink = recordTags();
  const parts = { project: 'p', sink, log: createLogger('test', () => undefined), random: () => 0 };
  const guard = new TargetGuard([`127.0.0.1:${port}`]);
  const provider = createModbusProvider(modbusConnection(port, timeout), { ...parts, guard });
  provider.configure(tags);
  open.push(() => provider.close());
  return { sink, provider };
}

const tag = (path: string, source: object, rest: object = {}) => modbusTag(path, { poll: 0.05, ...source }, rest);
const write = (provider: TagProvider, to: TagDefinition, value: unknown) =>
  provider.write(to, value, AbortSignal.timeout(5_000));

describe('reading', () => {
  test('tags of all four tables are read, neighbours in one request', async () => {
    const port = await freePort();
    const peer = await peerOn(port, {
      values: {
        coil: { 3: 1 },
        discrete: { 9: 1 },
        holding: { 0: 215, 1: 0x42f7, 2: 0, 5: 0x0200 },
        input: { 8: 0xfffe },
      },
    });
    const { sink } = provide(port, [
      tag('level', { table: 'holding', address: 0, factor: 0.1 }),
      tag('flow', { table: 'holding', address: 1, encoding: 'float32' }),
      tag('running', { table: 'holding', address: 5, encoding: 'bit', bit: 9 }, { type: 'boolean' }),
      tag('coil', { table: 'coil', address: 3 }, { type: 'boolean' }),
      tag('door', { table: 'discrete', address: 9 }, { type: 'boolean' }),
      tag('delta', { table: 'input', address: 8, encoding: 'int16' }),
    ]);
    await until('all are good', () => ['level', 'flow', 'running', 'coil', 'door', 'delta'].every(sink.isGood));
    expect([...sink.now].map(([path, { value }]) => [path, value])).toEqual([
      ['level', 21.5],
      ['flow', 123.5],
      ['running', true],
      ['coil', true],
      ['door', true],
      ['delta', -2],
    ]);
    const { reads } = await peer.report();
    expect(reads[0]).toEqual({ unit: 1, address: 0, length: 6 });
    peer.tell({ do: 'set', table: 'holding', address: 0, value: 300 });
    await until('the new value is polled', () => sink.value('level') === 30);
  });

  test('an address that the device refuses does not affect its neighbours', async () => {
    const port = await freePort();
    await peerOn(port, { values: { holding: { 0: 1, 1: 2, 3: 4 } }, refused: [2] });
    const { sink } = provide(
      port,
      [0, 1, 2, 3].map((address) => tag(`t${address}`, { table: 'holding', address })),
    );
    await until('the neighbours are good', () => sink.isGood('t0') && sink.isGood('t1') && sink.isGood('t3'));
    await until('the bad one has a reason', () => sink.reason('t2') === 'illegal data address');
    expect([sink.value('t0'), sink.value('t1'), sink.value('t3')]).toEqual([1, 2, 4]);
  });

  test('a source that can never be read says why and costs no request', async () => {
    const port = await freePort();
    const peer = await peerOn(port);
    const { sink } = provide(port, [
      tag('past', { table: 'holding', address: 65_535, encoding: 'uint32' }),
      tag('fine', { table: 'holding', address: 65_535 }),
    ]);
    await until('the sound one is good', () => sink.isGood('fine'));
    expect(sink.reason('past')).toBe('the value would go past address 65,535');
    expect((await peer.report()).reads.every(({ length }) => length === 1)).toBe(true);
  });

  test('a tag whose source changed never shows the value of the old one', async () => {
    const port = await freePort();
    await peerOn(port, { values: { holding: { 0: 7, 100: 8 } } });
    const { sink, provider } = provide(port, [tag('a', { table: 'holding', address: 0 })]);
    await until('the first value is read', () => sink.value('a') === 7);
    provider.configure([tag('a', { table: 'holding', address: 100 })]);
    expect(sink.isGood('a')).toBe(false);
    const from = sink.reports.length;
    await until('the second value is read', () => sink.isGood('a'));
    expect(sink.reports.slice(from).every(({ is }) => is.value !== 7)).toBe(true);
    expect(sink.value('a')).toBe(8);
  });
});

describe('a device that disappears', () => {
  test('killed: tags are bad with the reason at once and never stale, and recover by themselves', async () => {
    const port = await freePort();
    const values = { holding: { 0: 11 } };
    const first = await peerOn(port, { values });
    const slow = modbusTag('slow', { table: 'holding', address: 50, poll: 600 });
    const { sink, provider } = provide(port, [tag('a', { table: 'holding', address: 0 }), slow]);
    await until('good', () => sink.isGood('a') && sink.isGood('slow'));

    await first.kill();
    await until('both are bad, the slow one too', () => !sink.isGood('a') && !sink.isGood('slow'), {
      timeoutMs: 2_000,
    });
    expect(sink.reason('slow')).toContain(`127.0.0.1:${port}`);
    await until('the refusal is the reason', () => sink.reason('a') === `127.0.0.1:${port} refuses the connection`);
    const away = sink.reports.length;
    await expect(write(provider, slow, 1)).rejects.toMatchObject({ code: 'device_unreachable' });

    values.holding[0] = 12;
    await peerOn(port, { values });
    await until('good again', () => sink.isGood('a') && sink.isGood('slow'));
    expect(sink.value('a')).toBe(12);
    expect(sink.reports.slice(away).filter(({ is }) => is.quality === 'good' && is.value === 11)).toEqual([]);
  });

  test('hanging with an open socket: lost within the timeout, good when it responds again', async () => {
    const port = await freePort();
    const peer = await peerOn(port, { values: { holding: { 0: 5 } } });
    const { sink } = provide(port, [
      tag('a', { table: 'holding', address: 0 }),
      tag('far', { table: 'coil', address: 0 }),
    ]);
    await until('good', () => sink.isGood('a') && sink.isGood('far'));
    peer.hang(true);
    await until('the connection is lost', () => !sink.isGood('a') && !sink.isGood('far'), { timeoutMs: 2_000 });
    expect(sink.reason('a')).toBe(`no answer from 127.0.0.1:${port} within 0.3 s`);
    peer.hang(false);
    await until('good again', () => sink.isGood('a') && sink.isGood('far'));
  });

  test('a silent unit behind a Modbus gateway: only its own tags are lost, and they recover', async () => {
    const port = await freePort();
    const peer = await peerOn(port, { values: { holding: { 0: 5 } } });
    const { sink } = provide(
      port,
      [1, 2].map((unitId) => tag(`u${unitId}`, { table: 'holding', address: 0, unitId })),
    );
    await until('good', () => sink.isGood('u1') && sink.isGood('u2'));
    const from = sink.reports.length;
    peer.tell({ do: 'silent', units: [2] });
    await until('the connection is lost', () => sink.reason('u2')?.startsWith('unit 2: no answer from'));
    peer.tell({ do: 'silent', units: [] });
    await until('good again', () => sink.isGood('u2'));
    expect(sink.reports.slice(from).filter(({ path, is }) => path === 'u1' && is.quality !== 'good')).toEqual([]);
  });

  test('an address that the guard refuses is never dialled, and the tags say so', async () => {
    const sink = recordTags();
    const parts = { project: 'p', sink, log: createLogger('test', () => undefined), guard: new TargetGuard([]) };
    const provider = createModbusProvider(modbusConnection(await freePort()), parts);
    open.push(() => provider.close());
    provider.configure([tag('a', { table: 'holding', address: 0 })]);
    await until('refused', () => sink.reason('a')?.includes('allowed internal targets'));
    expect(sink.isGood('a')).toBe(false);
  });
});

describe('writing', () => {
  test('coils, scaled registers, wide values, strings and single bits reach the device and are read back', async () => {
    const port = await freePort();
    const peer = await peerOn(port, { values: { holding: { 20: 0b1001 } } });
    const coil = tag('coil', { table: 'coil', address: 1 }, { type: 'boolean' });
    const level = tag('level', { table: 'holding', address: 0, factor: 0.1, offset: -5, poll: 600 });
    const flow = tag('flow', { table: 'holding', address: 2, encoding: 'float32', byteOrder: 'CDAB' });
    const name = tag('name', { table: 'holding', address: 10, encoding: 'text', length: 2 }, { type: 'text' });
    const bit = tag('bit', { table: 'holding', address: 20, encoding: 'bit', bit: 1 }, { type: 'boolean' });
    const { sink, provider } = provide(port, [coil, level, flow, name, bit]);
    await until('connected', () => sink.isGood('level'));
    await write(provider, coil, true);
    await write(provider, level, 21.5);
    await write(provider, flow, 123.5);
    await write(provider, name, 'AB');
    await write(provider, bit, true);
    const late = [
      [coil, false],
      [level, 1],
      [bit, false],
    ] as const;
    for (const [to, value] of late) {
      const writing = provider.write(to, value, AbortSignal.timeout(5_000), clockMs() - 1);
      await expect(writing).rejects.toMatchObject({ code: 'interlock' });
    }
    const { values } = await peer.report();
    expect(values.coil).toMatchObject({ 1: 1 });
    expect(values.holding).toMatchObject({ 0: 265, 2: 0, 3: 0x42f7, 10: 0x4142, 11: 0, 20: 0b1011 });
    await until('the value is read back long before its next poll', () => sink.value('level') === 21.5);
  });

  test('a refused write says why: type, range, table, the device itself, or an abort', async () => {
    const port = await freePort();
    const peer = await peerOn(port, { refused: [300] });
    const word = tag('word', { table: 'holding', address: 0 });
    const refused = tag('refused', { table: 'holding', address: 300 });
    const input = tag('input', { table: 'input', address: 0 });
    const { sink, provider } = provide(port, [word, refused, input]);
    await until('connected', () => sink.isGood('word'));
    await expect(write(provider, word, 70_000)).rejects.toMatchObject({ code: 'tag_type' });
    await expect(write(provider, input, 1)).rejects.toMatchObject({ code: 'tag_read_only' });
    const failed = { code: 'tag_write_failed', message: 'tag "refused" was not written: illegal data address' };
    await expect(write(provider, refused, 1)).rejects.toMatchObject(failed);
    peer.tell({ do: 'silent', units: [1] });
    const many = Array.from({ length: 120 }, () =>
      write(provider, word, 1).catch((error: { code: string }) => error.code),
    );
    const codes = new Set(await Promise.all(many));
    expect(codes).toEqual(new Set(['tag_write_failed', 'device_unreachable']));
  });
});

describe('the connection test', () => {
  const probe = (port: number, timeout?: number) =>
    probeModbus(modbusConnection(port, timeout), { guard: new TargetGuard([`127.0.0.1:${port}`]) });

  test('a server that responds, even with an exception, is alive', async () => {
    const port = await freePort();
    await peerOn(port, { refused: [0] });
    expect(await probe(port)).toEqual({
      ok: true,
      text: expect.stringMatching(/^Modbus server answered in \d+ ms$/),
      durationMs: expect.any(Number),
    });
  });

  test('distinguishes a missing server from a silent one', async () => {
    const port = await freePort();
    expect(await probe(port)).toMatchObject({ ok: false, text: `127.0.0.1:${port} refuses the connection` });
    await peerOn(port, { silent: [1] });
    expect(await probe(port)).toMatchObject({
      ok: false,
      text: expect.stringContaining('accepts connections, but unit 1'),
    });
  });
});
