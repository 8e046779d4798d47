import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeError } from '#sdk';
import { dirPerTest } from '#test/test-dir.ts';
import type { TagDefinition } from '#common/model/tag.ts';
import { CHARS_MAX, STEPS_PER_READ_MAX } from './project-tags.ts';
import { LATE_MS_MAX } from './tag-entry.ts';
import { BROKER, broker, fed, handFed, memory, type TagsWorld, tagsWorld } from './tags-world.testing.ts';

const T0 = Date.parse('2026-03-01T06:00:00Z');

const dir = dirPerTest();
let world: TagsWorld;
beforeEach(() => {
  world = tagsWorld(dir.path);
});
afterEach(() => world.tags.close());

const read = (path: string) => world.tags.read('line-1', path);
const many = (...patterns: string[]) => world.tags.readMany('line-1', patterns).map(({ path }) => path);
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return error instanceof NodeError ? error.code : String(error);
  }
  return 'nothing was thrown';
};

describe('a value', () => {
  test('has quality, source time and unit', () => {
    world.configure([fed('a/speed', { unit: 'bpm' })]);
    world.device().give('a/speed', 118.5, { time: T0 });
    expect(read('a/speed')).toEqual({
      path: 'a/speed',
      value: 118.5,
      quality: 'good',
      reason: null,
      time: '2026-03-01T06:00:00.000Z',
      unit: 'bpm',
    });
  });

  test('is bad and has no time before the first sample', () => {
    world.configure([fed('a')]);
    expect(read('a')).toMatchObject({ value: null, quality: 'bad', reason: 'there is no value yet', time: null });
  });

  test('of another type is bad and has the reason', () => {
    world.configure([fed('a')]);
    world.device().give('a', '7');
    expect(read('a')).toMatchObject({
      value: null,
      quality: 'bad',
      reason: 'type_mismatch: expected a number; it is a string',
    });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s is bad', (value) => {
    world.configure([fed('a')]);
    world.device().give('a', value);
    expect(read('a')).toMatchObject({ value: null, quality: 'bad' });
  });

  test('of bad quality is null with its reason, and an uncertain one keeps its value', () => {
    world.configure([fed('a')]);
    world.device().give('a', 5, { quality: 'bad', reason: 'sensor failure' });
    expect(read('a')).toMatchObject({ value: null, quality: 'bad', reason: 'sensor failure' });
    world.device().give('a', 5, { quality: 'uncertain', reason: 'last usable value' });
    expect(read('a')).toMatchObject({ value: 5, quality: 'uncertain', reason: 'last usable value' });
  });

  test('that is slightly older is late and dropped, and a much older one indicates a changed clock', () => {
    world.configure([fed('a')]);
    const { give } = world.device();
    give('a', 1, { time: T0 });
    give('a', 2, { time: T0 });
    expect(read('a').value, 'of the same time').toBe(2);
    give('a', 3, { time: T0 - 1 });
    expect(read('a').value, 'late').toBe(2);
    give('a', 4, { time: T0 - LATE_MS_MAX - 1 });
    expect(read('a').value, 'from a clock that was set back').toBe(4);
  });

  test('whose time is that of its arrival is never late: the clock was set back', () => {
    world.configure([fed('a')]);
    const { sink } = world.device();
    const tell = (value: number, time: number) =>
      sink.sample('a', { value, quality: 'good', reason: null, time, arrived: true });
    tell(1, T0);
    tell(2, T0 - 1);
    expect(read('a').value).toBe(2);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 9e15, -9e15])(
    'with the time %s gets the time of its arrival',
    (time) => {
      world.configure([fed('a')]);
      const before = Date.now();
      world.device().give('a', 1, { time });
      expect(Date.parse(read('a').time ?? '')).toBeGreaterThanOrEqual(before);
    },
  );

  test('that was read cannot be changed by its reader', () => {
    world.configure([fed('a', { type: 'json' })]);
    world.device().give('a', { n: 1 });
    expect(() => Object.assign(read('a'), { value: 2 })).toThrow(TypeError);
    expect(() => Object.assign(read('a').value as object, { n: 2 })).toThrow(TypeError);
  });

  test('is bad at once when its source is lost, and good again with an older time', () => {
    world.configure([fed('a'), fed('b')]);
    const { give, sink } = world.device();
    give('a', 1, { time: T0 });
    sink.lost(['a', 'unknown'], 'no answer from 10.0.0.7:1883');
    expect(read('a')).toMatchObject({ value: null, quality: 'bad', reason: 'no answer from 10.0.0.7:1883' });
    expect(Date.parse(read('a').time ?? '')).toBeGreaterThan(T0);
    give('a', 1, { time: T0 - 1 });
    expect(read('a')).toMatchObject({ value: 1, quality: 'good' });
  });

  test('that exceeds the text limit of a project is bad, and room is available again when others are removed', () => {
    const count = CHARS_MAX / 65_536;
    const tags = Array.from({ length: count + 1 }, (_, n) => fed(`t${n}`, { type: 'text' }));
    world.configure(tags);
    const full = 'x'.repeat(65_536);
    for (const { path } of tags) world.device().give(path, full);
    expect(read(`t${count - 1}`).quality).toBe('good');
    expect(read(`t${count}`)).toMatchObject({ quality: 'bad', reason: expect.stringContaining('hold more than') });
    world.device().sink.lost(['t0'], 'gone');
    world.device().give(`t${count}`, full);
    expect(read(`t${count}`).quality).toBe('good');
    world.device().give('t0', full);
    expect(read('t0').quality).toBe('bad');
  });
});

describe('a read', () => {
  test('throws for an unknown path, and returns nothing for a pattern without a match', () => {
    world.configure([fed('a/b')]);
    expect(codeOf(() => read('a'))).toBe('tag_unknown');
    expect(codeOf(() => many('a/b', 'a/c'))).toBe('tag_unknown');
    expect(many('x/*')).toEqual([]);
    expect(codeOf(() => world.tags.read('line-2', 'a/b'))).toBe('tag_unknown');
    expect(world.tags.readMany('line-2', ['**'])).toEqual([]);
  });

  test('of many returns each once, in the order of the list', () => {
    world.configure([fed('a/x'), fed('a/y'), fed('b/x')]);
    expect(many('b/x', 'a/*', '*/x')).toEqual(['b/x', 'a/x', 'a/y']);
  });

  test('of 10,000 tags costs what it finds, and patterns that search too much are refused', () => {
    world.configure(Array.from({ length: 10_000 }, (_, n) => fed(`line${n % 100}/t${Math.floor(n / 100)}`)));
    expect(many('**')).toHaveLength(10_000);
    expect(many(...Array.from({ length: 1_000 }, (_, n) => `line${n % 100}/t${n % 10}`))).toHaveLength(100);
    const wide = Array.from({ length: 1 + STEPS_PER_READ_MAX / 10_000 }, (_, n) => `*/*${'*'.repeat(n)}`);
    expect(codeOf(() => many(...wide))).toBe('tag_patterns_too_wide');
    expect(
      codeOf(() => many(...wide)),
      'what is known already counts too',
    ).toBe('tag_patterns_too_wide');
  });

  test('passes the capability broker', async () => {
    world.configure([memory('a', {}, 7)]);
    await expect(world.call('tags.read', { path: 'a' })).resolves.toMatchObject({ value: 7, quality: 'good' });
    await expect(world.call('tags.readMany', { paths: ['*'] })).resolves.toMatchObject([{ value: 7 }]);
    await expect(world.call('tags.read', { path: 'a/../b' })).rejects.toMatchObject({ code: 'call_invalid' });
  });
});

describe('a write', () => {
  const write = (path: string, value: unknown) => world.call('tags.write', { path, value });
  const source = (more: object) => fed('x', { writable: true, source: { connection: 'plant', ...more } });

  test('reaches the source with the value in the type of the tag', async () => {
    world.configure([fed('a', { writable: true, type: 'boolean' })]);
    await write('a', 1);
    expect(world.device().written).toEqual([{ path: 'a', value: true }]);
    expect(read('a').quality, 'only the source says what it is').toBe('bad');
  });

  test.each<[string, TagDefinition]>([
    ['a tag that is not writable', fed('x')],
    ['a simulated tag', fed('x', { writable: true, source: { provider: 'simulator', shape: 'sine' } })],
    ['a Modbus input register', source({ provider: 'modbus', table: 'input', address: 0 })],
    ['a Modbus discrete input', source({ provider: 'modbus', table: 'discrete', address: 0, encoding: 'bit' })],
  ])('to %s is refused', async (_what, tag) => {
    world.configure([tag]);
    await expect(write('x', 'of another type too')).rejects.toMatchObject({ code: 'tag_read_only' });
  });

  test('is refused if the tag is unknown, the value does not fit, or there is no source', async () => {
    world.configure([fed('a', { writable: true }), source({ provider: 'opcua', nodeId: 'i=1' })]);
    await expect(write('b', 1)).rejects.toMatchObject({ code: 'tag_unknown' });
    await expect(write('a', '1')).rejects.toMatchObject({
      code: 'tag_type',
      message: 'a: expected a number; it is a string',
    });
    await expect(write('x', 1)).rejects.toMatchObject({ code: 'device_unreachable' });
    expect(world.device().written).toEqual([]);
  });

  test('fails with the message of the provider, and unexpected errors stay in the log', async () => {
    world.configure([fed('a', { writable: true })]);
    world.device().refuse = new NodeError('device_unreachable', 'no answer');
    await expect(write('a', 1)).rejects.toMatchObject({ code: 'device_unreachable', message: 'no answer' });
    world.device().refuse = new Error('password hunter2 refused');
    await expect(write('a', 1)).rejects.toMatchObject({
      code: 'tag_write_failed',
      message: 'a: the value was not taken',
    });
    expect(world.lines.join('')).toContain('a tag could not be written');
  });

  test('of many is done in order, and names the completed writes when one fails', async () => {
    world.configure([fed('a', { writable: true }), fed('b', { writable: true }), fed('c')]);
    const writes = ['b', 'a', 'c', 'a'].map((path) => ({ path, value: 1 }));
    await expect(world.call('tags.writeMany', { writes })).rejects.toMatchObject({
      code: 'tag_read_only',
      message: 'c cannot be written: it is not marked as writable; written before it: b, a',
    });
    expect(world.device().written.map(({ path }) => path)).toEqual(['b', 'a']);
    await expect(world.call('tags.writeMany', { writes: writes.slice(2) })).rejects.toThrow('nothing was written');
    await expect(world.call('tags.writeMany', { writes: writes.slice(0, 2) })).resolves.toBe(null);
  });
});

describe('a change of the resources', () => {
  test('keeps the provider and the values of unchanged tags', () => {
    world.configure([fed('a'), fed('b')]);
    world.device().give('a', 1);
    const before = read('a');
    world.configure([fed('a'), fed('b')]);
    world.configure([fed('a'), fed('c')]);
    expect(world.devices).toHaveLength(1);
    expect(world.device().configured, 'received only the changes').toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    expect(read('a')).toBe(before);
    expect(codeOf(() => read('b'))).toBe('tag_unknown');
    expect(many('**')).toEqual(['a', 'c']);
  });

  test('creates the provider of a changed connection again, and its old values are no longer good', () => {
    world.configure([fed('a')]);
    const old = world.device();
    old.give('a', 1);
    world.configure([fed('a')], [broker({ host: '10.0.0.8' })]);
    expect(old.closed).toBe(true);
    expect(world.device()).not.toBe(old);
    expect(world.device().settings).toMatchObject({ id: 'plant', host: '10.0.0.8' });
    expect(read('a')).toMatchObject({ value: null, quality: 'bad' });
    old.give('a', 1);
    expect(read('a').quality, 'reports of the old one').toBe('bad');
    world.device().give('a', 2);
    expect(read('a').value).toBe(2);
  });

  test('that moves a tag to another connection ends reports of the previous one about it', () => {
    const other = { ...BROKER, id: 'other' };
    world.configure([fed('a'), fed('b')], [BROKER, other]);
    const before = world.device();
    before.give('a', 1);
    const source = { provider: 'mqtt', connection: 'other', topic: 'a' };
    world.configure([fed('a', { source }), fed('b')], [BROKER, other]);
    before.give('a', 2);
    before.sink.lost(['a'], 'gone');
    expect(read('a')).toMatchObject({ quality: 'bad', reason: 'there is no value yet' });
    before.give('b', 3);
    world.device().give('a', 4);
    expect([read('a').value, read('b').value]).toEqual([4, 3]);
  });

  test('to the name of the connection does not affect the provider', () => {
    world.configure([fed('a')]);
    world.configure([fed('a')], [{ ...BROKER, name: 'Broker' }]);
    expect(world.devices).toHaveLength(1);
  });

  test('to the type or unit of a tag applies to the same sample', () => {
    world.configure([fed('a')]);
    world.device().give('a', '7', { time: T0 });
    expect(read('a').reason).toContain('type_mismatch');
    world.configure([fed('a', { type: 'text', unit: 'm' })]);
    expect(read('a')).toMatchObject({ value: '7', quality: 'good', unit: 'm', time: '2026-03-01T06:00:00.000Z' });
  });

  test('that gives a tag another source starts without a value', () => {
    world.configure([fed('a')]);
    world.device().give('a', 1);
    world.configure([fed('a', { source: { provider: 'mqtt', connection: 'plant', topic: 'other' } })]);
    expect(read('a')).toMatchObject({ quality: 'bad', reason: 'there is no value yet', time: null });
    world.configure([memory('a', {}, 5)]);
    expect(read('a')).toMatchObject({ value: 5 });
    expect(world.device().closed, 'nobody needs the old one').toBe(true);
  });

  test('lets a tag without a provider report the reason until there is one', () => {
    const opcua = (connection: string) => ({ provider: 'opcua', connection, nodeId: 'i=1' });
    world.configure(
      [fed('a'), fed('b', { source: opcua('plant') }), fed('c', { source: opcua('server') })],
      [
        { id: 'plant', name: '', settings: { ...BROKER.settings } },
        { id: 'server', name: '', settings: { ...BROKER.settings } },
      ],
    );
    expect(read('b').reason).toBe('the connection "plant" is of the kind mqtt; expected opcua');
    world.configure([fed('a')], []);
    expect(read('a')).toMatchObject({ quality: 'bad', reason: 'there is no connection "plant"' });
    world.configure([fed('a')]);
    world.device().give('a', 1);
    expect(read('a').value).toBe(1);
  });

  test('survives a provider that throws', async () => {
    await world.tags.close();
    world = tagsWorld(dir.path, {
      mqtt() {
        throw new Error('no driver');
      },
    });
    world.configure([fed('a'), memory('b', {}, 1)]);
    expect(read('a')).toMatchObject({ quality: 'bad', reason: 'the provider could not be started' });
    expect(read('b').value).toBe(1);
    expect(world.lines.join('')).toContain('no driver');
  });

  test('that ends the project ends its tags and its providers', () => {
    world.configure([fed('a'), memory('b', {}, 1)]);
    void world.tags.configure?.('line-1', null);
    expect(codeOf(() => read('a'))).toBe('tag_unknown');
    expect(world.device().closed).toBe(true);
  });

  test('reports of a provider after the end are ignored', async () => {
    world.configure([fed('a')]);
    const { give, sink } = world.device();
    give('a', 1);
    await world.tags.close();
    give('a', 2);
    sink.lost(['a'], 'closed');
    expect(read('a').value).toBe(1);
  });

  test('closing waits for every provider that is still closing', async () => {
    const gate = Promise.withResolvers<void>();
    world.configure([fed('a')]);
    world.device().close = () => gate.promise;
    world.configure([]);
    let closed = false;
    const closing = world.tags.close().then(() => (closed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    gate.resolve();
    await closing;
    expect(closed).toBe(true);
  });
});

test('a stop cancels the writes that still wait for their device before it is acknowledged', async () => {
  const cancelled: string[] = [];
  const busy = tagsWorld(dir.path, {
    mqtt: (connection, parts) => ({
      ...handFed(connection, parts),
      write: ({ path }, _value, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            cancelled.push(path);
            reject(signal.reason as Error);
          });
        }),
    }),
  });
  busy.configure([fed('a', { writable: true })]);
  const written = busy.call('tags.write', { path: 'a', value: 1 }).catch((error: unknown) => error);
  const stop = { project: 'line-1', device: BROKER.id, reason: 'Service', until: null, at: '', by: 'Ada' };
  await busy.tags.stopWrites([stop]);
  expect(cancelled).toEqual(['a']);
  expect(await written).toMatchObject({ code: 'call_cancelled' });
  await busy.tags.close();
});

test('the stats count the tags of each device connection by quality, and leave out those without a device', () => {
  world.configure([fed('a'), fed('b'), fed('c'), memory('m')]);
  world.device().give('a', 1);
  world.device().give('b', 2, { quality: 'uncertain', reason: 'old' });
  expect(world.tags.devices()).toEqual([
    { project: 'line-1', connection: BROKER.id, provider: 'mqtt', tags: { good: 1, uncertain: 1, bad: 1 } },
  ]);
  world.configure([memory('m')]);
  expect(world.tags.devices()).toEqual([]);
});
