import { describe, expect, test } from 'vitest';
import { SCOPES } from '#common/scopes.ts';
import { until } from '#test/until.ts';
import { fixtureOfTest } from './fixture-of-test.testing.ts';
import { callWith, type Held, holding, stubDoor } from './capability-fixture.ts';
import { QUEUE_LIMITS } from './limits.ts';

/** Capabilities whose `vars.get` waits for the gate. */
function gated(): { held: Held; open(): void; asked(): number } {
  const gate = Promise.withResolvers<string>();
  let asked = 0;
  const held = holding(
    stubDoor(() => ((asked += 1), gate.promise)),
    SCOPES,
  );
  return { held, open: () => gate.resolve('opened'), asked: () => asked };
}

const WAIT = "export default async (n) => [n, await vars.get('a')]";

describe('a waiting run', () => {
  test.each([
    ['loops', 'export default () => { for (;;); }'],
    ['cannot be interrupted', 'export default () => Array.prototype.reverse.call({ length: 2 ** 40 })'],
  ])(
    'continues beside a script on its worker that %s, and survives that worker',
    async (_title, code) => {
      const { compile } = await fixtureOfTest();
      const [waits, endless] = [await compile(WAIT), await compile(code, 3600)];
      const { held, open, asked } = gated();
      const waiting = Array.from({ length: 20 }, (_, n) => callWith(waits, held, n));
      await until('all wait', () => asked() === 20);
      const cancel = new AbortController();
      const looping = Promise.allSettled([1, 2].map(() => callWith(endless, held, null, cancel.signal)));
      open();
      expect(await Promise.all(waiting)).toEqual(Array.from({ length: 20 }, (_, n) => [n, 'opened']));
      cancel.abort();
      expect(await looping).toMatchObject([1, 2].map(() => ({ reason: { code: 'script_cancelled' } })));
    },
    30_000,
  );

  test.each([
    ['number', { ...QUEUE_LIMITS, suspendedRuns: 3 }],
    ['memory', { ...QUEUE_LIMITS, suspendedBytes: 2 * 1024 * 1024 }],
  ])('counts towards a limited %s; more are refused, and there is room again afterwards', async (_title, limits) => {
    const { compile } = await fixtureOfTest(limits);
    const script = await compile(WAIT);
    const { held, open } = gated();
    const results = Promise.allSettled(Array.from({ length: 12 }, (_, n) => callWith(script, held, n)));
    const refused = Promise.withResolvers<void>();
    const extra = callWith(script, held).catch((error: { code: string }) => {
      refused.resolve();
      return error.code;
    });
    await refused.promise;
    open();
    const codes = (await results).map((one) => (one.status === 'fulfilled' ? 'ok' : String(one.reason.code)));
    expect(new Set(codes)).toEqual(new Set(['ok', 'script_overloaded']));
    expect(codes.filter((code) => code === 'ok').length).toBeGreaterThanOrEqual(3);
    expect(await extra).toBe('script_overloaded');
    expect(await callWith(script, held, 'again')).toEqual(['again', 'opened']);
  });

  test('counts towards one limit, whether a script or a plugin waits', async () => {
    const { compile, sandbox } = await fixtureOfTest({ ...QUEUE_LIMITS, suspendedRuns: 3 });
    const code = `export default { wait: () => tags.read('a') }`;
    const plugin = await sandbox.compileIsolated(code, { deadlineSeconds: 60, name: 'acme', kinds: ['wait'] });
    const script = await compile(WAIT);
    const { held, open, asked } = gated();
    const run = (project: string) =>
      plugin.call('wait', [], { signal: new AbortController().signal, project, deadlineSeconds: 60, ...held });
    const waiting = [callWith(script, held), run('alpha'), run('beta')];
    await until('all wait', () => asked() === 3);
    await expect(callWith(script, held)).rejects.toMatchObject({ code: 'script_overloaded' });
    open();
    expect(await Promise.all(waiting)).toHaveLength(3);
  });

  test('keeps about 400 KiB, not a whole instance', async () => {
    const { compile } = await fixtureOfTest();
    const script = await compile(WAIT);
    const { held, open, asked } = gated();
    await callWith(
      script,
      holding(
        stubDoor(() => 1),
        SCOPES,
      ),
    );
    const before = process.memoryUsage.rss();
    const waiting = Array.from({ length: 200 }, (_, n) => callWith(script, held, n));
    await until('all wait', () => asked() === 200);
    expect((process.memoryUsage.rss() - before) / 200).toBeLessThan(1024 * 1024);
    open();
    expect((await Promise.all(waiting)).length).toBe(200);
  });
});
