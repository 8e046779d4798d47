import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TagDefinition } from '#common/model/tag.ts';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { freePort } from '#test/free-port.ts';
import { makeCertificate } from '#test/peers/opcua-certificates.ts';
import { type OpcuaPeer, startOpcuaPeer } from '#test/peers/opcua-peer.ts';
import { Recorder, opcuaSettings, opcuaTag } from '#test/peers/opcua-tags.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import type { TagProvider } from '../contract.ts';
import { clockMs } from '../send-before.ts';
import { TAGS_PER_CONNECTION_MAX } from './limits.ts';
import { createOpcuaProvider } from './provider.ts';

const dir = dirPerFile();
let peer: OpcuaPeer;

beforeAll(async () => {
  peer = await startOpcuaPeer(dir.path, { port: await freePort(), ...(await makeCertificate(dir.path, 'server')) });
});
afterAll(() => peer.kill());

const provide = (recorder: Recorder): TagProvider & AsyncDisposable => {
  const parts = { project: 'line', sink: recorder, log: createLogger('test', () => undefined), dataDir: dir.path };
  const guard = new TargetGuard([`127.0.0.1:${peer.port}`]);
  const settings = { ...opcuaSettings(peer.port, { securityMode: 'None' }), id: 'plc' };
  const provider = createOpcuaProvider(settings, { ...parts, guard });
  return Object.assign(provider, { [Symbol.asyncDispose]: () => provider.close() });
};
const soon = () => AbortSignal.timeout(8_000);
const write = (provider: TagProvider, tag: TagDefinition, value: unknown) => provider.write(tag, value, soon());

describe('reading', () => {
  test('each data type is converted to JSON', async () => {
    const expected: Record<string, unknown> = {
      Bool: true,
      SByte: -7,
      Byte: 200,
      Int16: -300,
      UInt16: 60_000,
      Int32: -70_000,
      UInt32: 4_000_000_000,
      Int64: -7,
      UInt64: '18446744073709551615',
      Float: 0.5,
      Double: 21.25,
      String: 'Füller 7',
      DateTime: '2026-03-01T06:00:00.000Z',
      Bytes: 'AQL/',
      Text: 'running',
      List: [1, 2, 3],
      Matrix: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    };
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure(Object.keys(expected).map((id) => opcuaTag(id)));
    await until('all are good', () => Object.keys(expected).every((id) => recorder.good(id)));
    expect(Object.fromEntries(Object.keys(expected).map((id) => [id, recorder.value(id)]))).toEqual(expected);
  });

  test('values that JSON cannot represent and values that are too long are bad with the reason', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure([opcuaTag('NaN'), opcuaTag('Long')]);
    await until(
      'both were reported',
      () => /NaN/.test(recorder.reason('NaN')) && /70000/.test(recorder.reason('Long')),
    );
    expect(recorder.latest.get('NaN')).toMatchObject({ value: null, quality: 'bad' });
    expect(recorder.reason('Long')).toBe('a string of 70000 characters; expected at most 65536');
  });

  test('a change arrives with its source time', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure([opcuaTag('Int32')]);
    await until('the first value is read', () => recorder.good('Int32'));
    const time = Date.parse('2026-02-03T04:05:06Z');
    peer.set({ id: 'Int32', value: 41, time });
    await until('the change is reported', () => recorder.value('Int32') === 41);
    expect(recorder.latest.get('Int32')).toEqual({ value: 41, quality: 'good', reason: null, time });
  });

  test('the status of a value determines its quality and its reason', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure([opcuaTag('Float')]);
    await until('the first value is read', () => recorder.good('Float'));
    peer.set({ id: 'Float', value: 2.5, status: 'UncertainLastUsableValue' });
    await until('it is uncertain', () => recorder.latest.get('Float')?.quality === 'uncertain');
    expect(recorder.latest.get('Float')).toMatchObject({ value: 2.5, reason: 'UncertainLastUsableValue' });
    peer.set({ id: 'Float', value: 3.5, status: 'BadSensorFailure' });
    await until('it is bad', () => recorder.latest.get('Float')?.quality === 'bad');
    expect(recorder.latest.get('Float')).toMatchObject({ value: null, reason: 'BadSensorFailure' });
    peer.set({ id: 'Float', value: 4.5 });
    await until('it is good again', () => recorder.value('Float') === 4.5);
  });

  test('a node that does not exist makes only its own tag bad', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure([opcuaTag('Nowhere'), opcuaTag('Bool'), opcuaTag('Odd', { nodeId: 'g=no-guid' })]);
    await until(
      'all three were reported',
      () =>
        recorder.good('Bool') && /Odd|g=no-guid/.test(recorder.reason('Odd')) && /Bad/.test(recorder.reason('Nowhere')),
    );
    expect(recorder.reason('Nowhere')).toBe('the server refuses the node ns=1;s=Nowhere: BadNodeIdUnknown');
    expect(recorder.reason('Odd')).toMatch(/g=no-guid: BadNodeId/);
  });

  test('tags of several intervals and more than one request all arrive', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    const intervals = [0.05, 0.2, 1, 3];
    const tags = Array.from({ length: 240 }, (_, index) => ({
      ...opcuaTag('Byte', { samplingInterval: intervals[index % 4] ?? 1 }),
      path: `many/t${index}`,
    }));
    provider.configure(tags);
    await until('all are good', () => tags.every((tag) => recorder.good(tag.path)));
    expect(recorder.value('many/t239')).toBe(200);
  });

  test('tags beyond the limit are bad with the reason', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    const tags = Array.from({ length: TAGS_PER_CONNECTION_MAX + 1 }, (_, index) => ({
      ...opcuaTag('Byte'),
      path: `t${index}`,
    }));
    provider.configure(tags);
    expect(recorder.reason(`t${TAGS_PER_CONNECTION_MAX}`)).toBe('expected at most 5000 tags of one OPC UA connection');
    expect(recorder.reason(`t${TAGS_PER_CONNECTION_MAX - 1}`)).toMatch(/^connecting to/);
  });
});

describe('reconfiguring', () => {
  test('a removed tag is silent, a new one arrives, and one that stays is not requested again', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure([opcuaTag('Int16'), opcuaTag('Byte')]);
    await until('both are good', () => recorder.good('Int16') && recorder.good('Byte'));
    provider.configure([opcuaTag('Byte'), opcuaTag('UInt16')]);
    await until('the new one is good', () => recorder.good('UInt16'));
    peer.set({ id: 'Int16', value: 5 });
    peer.set({ id: 'UInt16', value: 6 });
    await until('the change of the new one is reported', () => recorder.value('UInt16') === 6);
    expect(recorder.value('Int16')).toBe(-300);
    expect(recorder.all.filter(({ path }) => path === 'Byte')).toHaveLength(1);
  });

  test('a changed tag receives its value again, and a refused one is retried', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure([opcuaTag('Byte'), opcuaTag('Nowhere')]);
    await until(
      'both were reported',
      () => recorder.good('Byte') && /BadNodeIdUnknown/.test(recorder.reason('Nowhere')),
    );
    const told = (path: string) => recorder.all.filter((one) => one.path === path).length;
    provider.configure([opcuaTag('Byte', { unit: 'bottles' }), opcuaTag('Nowhere')]);
    await until('both were reported again', () => told('Byte') === 2 && told('Nowhere') === 2);
    expect(recorder.losses.filter(({ reason }) => !reason.startsWith('connecting'))).toEqual([]);
  });
});

describe('writing', () => {
  test('values are converted to the type of the node and come back through the subscription', async () => {
    const writes: [id: string, value: unknown, back?: unknown][] = [
      ['Bool', false],
      ['SByte', -128],
      ['UInt32', 4_294_967_295],
      ['Int64', '-9007199254740993'],
      ['UInt64', 9],
      ['Double', -1e300],
      ['String', 'Ä'],
      ['DateTime', '2026-01-01T00:00:00+01:00', '2025-12-31T23:00:00.000Z'],
      ['Bytes', 'AAE=', 'AAE='],
      ['List', [7, 8]],
    ];
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure(writes.map(([id]) => opcuaTag(id)));
    await until('all are good', () => writes.every(([id]) => recorder.good(id)));
    await Promise.all(writes.map(([id, value]) => write(provider, opcuaTag(id), value)));
    for (const [id, value, back = value] of writes) {
      await until(`${id} is back`, () => JSON.stringify(recorder.value(id)) === JSON.stringify(back));
    }
    expect(recorder.value('Int64')).toBe('-9007199254740993');
  });

  test.each([
    ['UInt16', -1, 'expected a whole number from 0 to 65535, got -1'],
    ['Int32', 1.5, 'expected a whole number from -2147483648 to 2147483647, got 1.5'],
    ['Bool', 1, 'expected true or false, got 1'],
    ['Float', 1e39, 'expected a number within the range of Float, got 1e+39'],
    ['String', 5, 'expected a string, got 5'],
    [
      'DateTime',
      '2026-02-30T00:00:00Z',
      'expected a time such as 2026-03-01T06:00:00Z, of a day that there is, got "2026-02-30T00:00:00Z"',
    ],
    ['List', 5, 'expected a list, got 5'],
    ['Byte', [1], 'expected one value, got [1]'],
    ['Text', 'x', 'the server refuses the value of "Text": BadNotWritable'],
    ['Nowhere', 1, 'the server does not tell the data type of ns=1;s=Nowhere: BadNodeIdUnknown'],
  ])('%s refuses %j', async (id, value, message) => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure([opcuaTag('Byte')]);
    await until('connected', () => recorder.good('Byte'));
    await expect(write(provider, opcuaTag(id), value)).rejects.toMatchObject({ code: 'tag_write_failed', message });
  });

  test('a write that waited beyond its bound is not sent', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    provider.configure([opcuaTag('Byte')]);
    await until('connected', () => recorder.good('Byte'));
    await write(provider, opcuaTag('Byte'), 7);
    const late = provider.write(opcuaTag('Byte'), 9, soon(), clockMs() - 1);
    await expect(late).rejects.toMatchObject({ code: 'interlock' });
    await write(provider, opcuaTag('UInt16'), 1);
    expect(recorder.all.some(({ path, value }) => path === 'Byte' && value === 9)).toBe(false);
  });

  test('a write without a connection is refused with that reason, and an aborted one is not started', async () => {
    const recorder = new Recorder();
    await using provider = provide(recorder);
    await expect(write(provider, opcuaTag('Byte'), 1)).rejects.toMatchObject({ code: 'device_unreachable' });
    const stopped = new Error('stopped');
    await expect(provider.write(opcuaTag('Byte'), 1, AbortSignal.abort(stopped))).rejects.toBe(stopped);
  });
});
