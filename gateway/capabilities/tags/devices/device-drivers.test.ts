import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { tagDefinition } from '#common/model/tag.ts';
import { until, within } from '#test/until.ts';
import type { TagProvider } from '../contract.ts';
import { mqttConnection, mqttTag } from '../mqtt/mqtt-tag.testing.ts';
import { HOSTILE, openDevices } from './devices.testing.ts';
import { FLOOD } from './hostile-drivers.testing.ts';
import { measureLag } from './lag-meter.testing.ts';
import { PROBES_PENDING_MAX, WRITES_PENDING_PER_PROJECT_MAX } from './limits.ts';

/** Drivers that fail on purpose (hostile-drivers.testing.ts). */
const RESTARTING = 'the device drivers are being restarted';
const tag = (path: string) => mqttTag(path, { topic: path }, { type: 'json' });
const A = tag('a');
const device = mqttConnection(1);
const write = (provider: TagProvider, value: unknown, signal = AbortSignal.timeout(30_000)) =>
  provider.write(A, value, signal);
const hostile = (more: object = {}) => openDevices({ driversUrl: HOSTILE, ...more });

describe('a thread that dies or hangs', () => {
  test.each(['throw', 'reject', 'exit'])(
    '%s: all tags are lost at once, writes fail, everything recovers',
    async (how) => {
      await using devices = hostile();
      const { sink, provider } = devices.provide(device, [A, tag('b')]);
      const other = devices.provide(mqttConnection(2), [tag('c')]);
      await until('good', () => sink.isGood('b') && other.sink.isGood('c'));
      const waiting = write(provider, 'wait').catch((error: unknown) => error);
      const from = sink.reports.length;
      await expect(write(provider, how)).rejects.toMatchObject({ code: 'device_unreachable', message: RESTARTING });
      expect(await waiting).toMatchObject({ code: 'device_unreachable', message: RESTARTING });
      expect([sink, sink, other.sink].map(({ reason }, at) => reason(['a', 'b', 'c'][at] ?? ''))).toEqual(
        Array.from({ length: 3 }, () => RESTARTING),
      );
      await expect(write(provider, 1)).rejects.toMatchObject({ code: 'device_unreachable', message: RESTARTING });
      expect(await devices.drivers.probe(device)).toMatchObject({ ok: false, text: RESTARTING });
      await until('all came back', () => sink.isGood('a') && sink.isGood('b') && other.sink.isGood('c'));
      expect(sink.reports.slice(from, from + 2).map(({ is }) => is.reason)).toEqual([RESTARTING, RESTARTING]);
      await write(provider, 42);
      await until('the new thread writes', () => sink.value('a') === 42);
      expect(devices.lines.filter((line) => line.includes('ended and are restarted'))).toHaveLength(1);
    },
  );

  test('hanging: it is ended after missed heartbeats, then everything recovers', async () => {
    await using devices = hostile({ pingMs: 200 });
    const { sink, provider } = devices.provide(device, [A]);
    await until('good', () => sink.isGood('a'));
    await expect(write(provider, 'hang')).rejects.toMatchObject({ code: 'device_unreachable' });
    expect(sink.reason('a')).toBe(RESTARTING);
    await until('good again', () => sink.isGood('a'), { timeoutMs: 30_000 });
    expect(devices.lines.join('')).toContain('it does not answer');
  });

  test('a new thread gets the tags that changed while there was no thread', async () => {
    await using devices = hostile();
    const { sink, provider } = devices.provide(device, [A]);
    await until('good', () => sink.isGood('a'));
    devices.drivers.restart('for the test');
    provider.configure([tag('b')]);
    expect([sink.reason('a'), sink.reason('b')]).toEqual([RESTARTING, RESTARTING]);
    const late = devices.provide(mqttConnection(2), [tag('c')]);
    provider.configure([tag('b'), tag('d')]);
    await until('the present tags are good', () => ['b', 'd'].every(sink.isGood) && late.sink.isGood('c'));
    expect(sink.isGood('a')).toBe(false);
  });

  test('a connection test reports that the thread died while it ran', async () => {
    await using devices = hostile();
    const silent = devices.drivers.probe({ ...device, host: 'silent' });
    const breaks = devices.drivers.probe({ ...device, host: 'breaks' });
    expect(await Promise.all([silent, breaks])).toMatchObject([
      { ok: false, text: RESTARTING },
      { ok: false, text: RESTARTING },
    ]);
  });

  test('a module that cannot be loaded is retried endlessly, never in a tight loop', async () => {
    await using devices = openDevices({ driversUrl: 'file:///nonexistent/drivers.ts' });
    const { sink } = devices.provide(device, [A]);
    await until(
      'two attempts were made',
      () => devices.lines.filter((line) => line.includes('ended and are restarted')).length === 2,
    );
    expect(sink.reason('a')).toBe(RESTARTING);
  });
});

describe('writes', () => {
  test('errors keep their codes, and unforeseen errors get one', async () => {
    await using devices = hostile();
    const { provider } = devices.provide(device, [A]);
    const refused = { name: 'NodeError', code: 'tag_write_failed', message: 'refused by the device' };
    await expect(write(provider, 'refuse')).rejects.toMatchObject(refused);
    await expect(write(provider, 'fail')).rejects.toMatchObject({
      code: 'tag_write_failed',
      message: 'a: the value was not taken',
    });
    await until('it was logged', () => devices.lines.some((line) => line.includes('not foreseen')));
  });

  test('a cancelled write ends at once, and is cancelled in the thread too', async () => {
    await using devices = hostile();
    const { sink, provider } = devices.provide(device, [A]);
    const abort = new AbortController();
    const waiting = write(provider, 'wait', abort.signal).catch((error: unknown) => error);
    await until('good', () => sink.isGood('a'));
    abort.abort(new Error('the run was cancelled'));
    expect(await waiting).toMatchObject({ message: 'the run was cancelled' });
    await until('the provider was notified', () => sink.value('a') === 'cancelled');
    await expect(write(provider, 1, abort.signal)).rejects.toThrow('the run was cancelled');
  });

  test("at most a project's half of the limit waits, and nothing waits when the drivers are closed", async () => {
    await using devices = hostile();
    const { provider } = devices.provide(device, [A]);
    const other = devices.provide(device, [A], 'other').provider;
    const waiting = Array.from({ length: WRITES_PENDING_PER_PROJECT_MAX }, () =>
      write(provider, 'wait').catch((error: { code: string }) => error.code),
    );
    await expect(write(provider, 1)).rejects.toMatchObject({ code: 'tag_write_failed' });
    await write(other, 1);
    await devices.drivers.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['device_unreachable']));
    await expect(write(provider, 1)).rejects.toMatchObject({ message: 'the gateway is stopping' });
  });
});

describe('settings', () => {
  test('a target that is no longer allowed is refused as soon as the change is acknowledged', async () => {
    await using devices = hostile({ allowed: ['127.0.0.1:9'] });
    const { provider } = devices.provide(device, [A]);
    await write(provider, 'resolve');
    await devices.drivers.settings([]);
    await expect(write(provider, 'resolve')).rejects.toMatchObject({ code: 'target_refused' });
    await devices.drivers.settings(['127.0.0.1:9']);
    await write(provider, 'resolve');
  });

  test('a thread that does not apply the change is ended before the change is acknowledged, and the next one applies it', async () => {
    await using devices = hostile({ allowed: ['127.0.0.1:9'] });
    const { sink, provider } = devices.provide(device, [A]);
    await until('good', () => sink.isGood('a'));
    const hanging = write(provider, 'hang').catch((error: { code: string }) => error.code);
    await within(1_900, 'the settings are taken', devices.drivers.settings([]));
    expect(await hanging).toBe('device_unreachable');
    await until('good again', () => sink.isGood('a'));
    await expect(write(provider, 'resolve')).rejects.toMatchObject({ code: 'target_refused' });
  });
});

describe('the state of the thread and its reports', () => {
  test('10,000 tags at once never block the gateway', async () => {
    await using devices = hostile();
    const tags = Array.from({ length: 10_000 }, (_, at) =>
      tagDefinition.parse({
        path: `line7/filler/t${at}`,
        type: 'json',
        source: { provider: 'mqtt', connection: 'broker', topic: `t/${at}` },
      }),
    );
    const lag = measureLag();
    const { sink } = devices.provide(device, tags);
    await until('all are good', () => tags.every(({ path }) => sink.isGood(path)), { everyMs: 100 });
    lag.stop();
    expect(sink.now.size).toBe(10_000);
    expect(lag.longestMs()).toBeLessThan(500);
  });

  test('a flood ends with the latest values, and drops values rather than queueing them', async () => {
    await using devices = hostile();
    const { sink, provider } = devices.provide(device, [A]);
    await write(provider, 'flood');
    await until('the loss came last', () => sink.reason('a') === 'flooded');
    const values = sink.reports.flatMap(({ is }) => (typeof is.value === 'number' ? [is.value] : []));
    expect(values.length).toBeLessThan(FLOOD / 2);
    expect(values).toEqual(values.toSorted((one, other) => one - other));
  });

  test('the thread gets no environment and prints nothing from libraries', async () => {
    await using devices = hostile();
    const { sink, provider } = devices.provide(device, [A]);
    const printed: string[] = [];
    const take = (chunk: string | Uint8Array): boolean => printed.push(String(chunk)) > 0;
    const outputs = [process.stdout, process.stderr].map((stream) => [stream, stream.write] as const);
    for (const [stream] of outputs) stream.write = take;
    await write(provider, 'print');
    await write(provider, 'environment');
    await until('it reported', () => Array.isArray(sink.value('a')));
    for (const [stream, before] of outputs) stream.write = before;
    expect(sink.value('a')).toEqual([]);
    expect(printed.join('')).not.toContain('printed by a library');
  });

  test('log lines arrive in the log of the gateway, without secrets', async () => {
    await using devices = hostile();
    const { provider } = devices.provide(device, [A]);
    await write(provider, 'log');
    const line = await until('the line is logged', () =>
      devices.lines.find((text) => text.includes('the device says')),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      name: 'test',
      password: '[removed]',
      error: { message: 'why' },
    });
  });

  test('a connection test returns a result, and only a limited number run at once', async () => {
    await using devices = hostile();
    expect(await devices.drivers.probe({ ...device, host: 'pump' })).toEqual({
      ok: true,
      text: 'pump answered',
      durationMs: 1,
    });
    const many = Array.from({ length: PROBES_PENDING_MAX }, () => devices.drivers.probe({ ...device, host: 'silent' }));
    expect(await devices.drivers.probe(device)).toMatchObject({
      ok: false,
      text: expect.stringContaining('try again'),
    });
    await devices.drivers.close();
    expect(await many[0]).toMatchObject({ ok: false, text: 'the gateway is stopping' });
  });
});

describe('the end', () => {
  const threads = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;

  test('the thread runs from the first provider until all have been closed for a while, and again later', async () => {
    const before = threads();
    await using devices = hostile({ idleMs: 50 });
    expect(threads()).toBe(before);
    const first = devices.provide(device, [A]);
    await until('good', () => first.sink.isGood('a'));
    expect(threads()).toBeGreaterThan(before);
    await first.provider.close();
    await until('the thread has ended', () => threads() === before);
    const second = devices.provide(device, [A]);
    await until('another thread has started', () => second.sink.isGood('a'));
  });

  test('a provider that does not end delays nothing indefinitely, and nothing is left after the close', async () => {
    const before = threads();
    const devices = hostile();
    const { sink, provider } = devices.provide({ ...device, host: 'stuck' }, [A]);
    await until('good', () => sink.isGood('a'));
    await within(4_000, 'the provider ends', provider.close());
    await write(provider, 'hang', AbortSignal.timeout(1)).catch(() => undefined);
    await within(2_000, 'the thread ends', devices.drivers.close());
    expect(threads()).toBe(before);
  });

  test('a process with a hanging device thread exits at once', async () => {
    const child = fork(new URL('./hanging-process.testing.ts', import.meta.url), { execArgv: [] });
    await within(20_000, 'the thread hangs', once(child, 'message'));
    const begin = performance.now();
    child.send('end');
    const [code] = (await within(10_000, 'the process ends', once(child, 'exit'))) as [number];
    expect(code).toBe(0);
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});
