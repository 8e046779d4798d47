import { describe, expect, test } from 'vitest';
import type { Script } from '#sdk';
import { until } from '#test/until.ts';
import { fixtureOfTest } from './fixture-of-test.testing.ts';
import { QUEUE_LIMITS } from './limits.ts';
import { call, type Fixture } from './sandbox-fixture.ts';

const QUICK = 'export default (msg) => msg.payload';
const LOOP = 'export default () => { for (;;); }';
/** A script runs alone once it is known to be long: a second call begins when the first has really ended. */
const LOOP_IF_DEAF = 'export default (msg) => { while (msg.payload === "deaf"); return msg.payload; }';
/** A native loop that never checks whether it should stop: only ending its thread stops it. */
const DEAF =
  'export default (msg) => (msg.payload === "deaf" ? Array.prototype.reverse.call({ length: 2 ** 40 }) : msg.payload)';

/** Starts calls and records the order in which they settle. */
function order() {
  const settled: string[] = [];
  return {
    settled,
    note: (name: string, promise: Promise<unknown>): Promise<unknown> =>
      promise.then(
        (value) => settled.push(`${name} ${JSON.stringify(value)}`),
        (error: { code: string }) => settled.push(`${name} ${error.code}`),
      ),
  };
}

describe('an endless script', () => {
  test.each([
    ['loops', LOOP_IF_DEAF],
    ['cannot be interrupted', DEAF],
  ])('and %s delays no other script, even one behind it on the same worker', async (_name, code) => {
    const { compile } = await fixtureOfTest();
    const [bad, good] = [await compile(code, 3600), await compile(QUICK, 60)];
    // Both are known to be quick, so their calls are posted to one worker together.
    for (let index = 0; index < 40; index++) await Promise.all([call(bad), call(good)]);
    const { settled, note } = order();
    const cancel = new AbortController();
    const endless = note('endless', call(bad, 'deaf', cancel.signal));
    await Promise.all(Array.from({ length: 50 }, (_, index) => note('quick', call(good, index))));
    expect(settled.length).toBe(50);
    cancel.abort();
    await endless;
    expect(settled.at(-1)).toBe('endless script_cancelled');
  });

  test('delays no other while many of its calls wait', async () => {
    const { compile } = await fixtureOfTest();
    const [bad, good] = [await compile(LOOP, 3600), await compile(QUICK, 60)];
    const { settled, note } = order();
    const endless = Array.from({ length: 20 }, () => note('endless', call(bad)));
    for (let index = 0; index < 100; index++) await note('quick', call(good, index));
    expect(settled.length).toBe(100);
    bad.close();
    await Promise.all(endless);
  });

  test('is ended from outside, its worker replaced, and the calls after it answered', async () => {
    const { compile, log } = await fixtureOfTest();
    const script = await compile(DEAF, 0.2);
    const { settled, note } = order();
    const all = [note('deaf', call(script, 'deaf')), ...[1, 2, 3].map((n) => note('later', call(script, n)))];
    await Promise.all(all);
    expect(settled.toSorted()).toEqual(['deaf script_deadline', 'later 1', 'later 2', 'later 3']);
    expect(log).toEqual(['warn sandbox: a worker was ended because the script of "test" would not stop']);
    expect(await call(script, 'again')).toBe('again');
  });

  test.each([
    ['a loop', 'export default () => { for (;;); }'],
    [
      'a flood of promise chains',
      'export default () => { for (let i = 0; i < 1e4; i++) { const again = () => Promise.resolve().then(again); again(); } return new Promise(() => {}); }',
    ],
    [
      'a chain of promises',
      'const g = async () => { throw 1 }; export default async () => { for (;;) { try { await g() } catch {} } }',
    ],
  ])('costs no worker when it can be interrupted: %s', async (_name, code) => {
    const { compile, log } = await fixtureOfTest();
    const script = await compile(code, 3);
    await expect(call(script)).rejects.toMatchObject({ code: 'script_deadline' });
    expect(log).toEqual([]);
  });

  test('leaves a worker for other scripts when several are endless at once', async () => {
    const { compile } = await fixtureOfTest();
    const bad = await Promise.all([1, 2, 3].map(() => compile(LOOP, 3600)));
    const good = await compile(QUICK, 60);
    const { settled, note } = order();
    const endless = bad.map((script) => note('endless', call(script)));
    await note('quick', call(good, 'x'));
    expect(settled).toEqual(['quick "x"']);
    for (const script of bad) script.close();
    await Promise.all(endless);
  }, 60_000);
});

describe('the queue', () => {
  test.each([
    ['a script', { ...QUEUE_LIMITS, callsPerScript: 5 }, 2],
    ['all scripts', { ...QUEUE_LIMITS, calls: 9 }, 3],
  ])('is limited for %s, and further calls are refused at once', async (_name, limits, refused) => {
    const { compile } = await fixtureOfTest(limits);
    const [one, two] = [await compile(QUICK), await compile(QUICK)];
    const { settled, note } = order();
    const calls = [one, two].flatMap((script) => Array.from({ length: 6 }, (_, n) => note('call', call(script, n))));
    await Promise.all(calls);
    expect(settled.slice(0, refused)).toEqual(Array(refused).fill('call script_overloaded'));
    expect(settled.slice(refused).every((line) => /^call \d$/.test(line))).toBe(true);
    expect(await call(one, 'room again')).toBe('room again');
  });

  test('is limited in size too', async () => {
    const { compile } = await fixtureOfTest({ ...QUEUE_LIMITS, chars: 1000 });
    const script = await compile(QUICK);
    const results = await Promise.allSettled([call(script, 'x'.repeat(600)), call(script, 'y'.repeat(600))]);
    expect(results).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'script_overloaded' } }]);
  });

  test('is answered in order, in a burst of a thousand calls', async () => {
    const { compile } = await fixtureOfTest({ ...QUEUE_LIMITS, callsPerScript: 1000 });
    const script = await compile(QUICK, 10);
    const results = await Promise.all(Array.from({ length: 1000 }, (_, index) => call(script, index)));
    expect(results).toEqual(Array.from({ length: 1000 }, (_, index) => index));
  });
});

describe('a cancelled run', () => {
  test('fails at once while it waits, and never starts', async () => {
    const { compile } = await fixtureOfTest();
    const script = await compile(LOOP, 1);
    const first = call(script);
    const cancel = new AbortController();
    const { settled, note } = order();
    const second = note('second', call(script, null, cancel.signal));
    cancel.abort();
    await Promise.all([second, note('first', first)]);
    expect(settled).toEqual(['second script_cancelled', 'first script_deadline']);
  });

  /** Cancels a run that is known to be long. */
  async function cancelLong({ compile }: Fixture, code: string): Promise<void> {
    const script = await compile(code, 3600);
    const quick = await compile(QUICK, 10);
    const cancel = new AbortController();
    const running = call(script, 'deaf', cancel.signal);
    await until('the run is seen to be long', async () => (await call(quick, 1)) === 1);
    cancel.abort();
    await expect(running).rejects.toMatchObject({ code: 'script_cancelled' });
    expect(await call(script, 'next')).toBe('next');
  }

  test('is interrupted while it runs', async () => {
    const made = await fixtureOfTest();
    await cancelLong(made, LOOP_IF_DEAF);
    expect(made.log).toEqual([]);
  });

  test('loses its worker when it does not react while it runs', async () => {
    const made = await fixtureOfTest();
    // On a busy machine it may be paused after its beginning, while it still reacts, and before its endless loop: then
    // it is repeated.
    await until('a worker is ended', async () => {
      await cancelLong(made, DEAF);
      return made.log.length === 1;
    });
  });
});

describe('closing', () => {
  test('a script fails its waiting and running calls and refuses new ones', async () => {
    const { compile } = await fixtureOfTest();
    const script = await compile(LOOP, 3600);
    const calls = Promise.allSettled([call(script), call(script)]);
    script.close();
    expect(await calls).toMatchObject([
      { reason: { code: 'script_cancelled' } },
      { reason: { code: 'script_cancelled' } },
    ]);
    await expect(call(script)).rejects.toMatchObject({ code: 'script_failed', message: 'the script is closed' });
  });

  test('the sandbox ends every thread and fails active calls', async () => {
    const { compile, sandbox } = await fixtureOfTest();
    const scripts: Script[] = [await compile(LOOP, 3600), await compile(DEAF, 3600), await compile(QUICK)];
    const calls = Promise.allSettled(scripts.map((script) => call(script, 'deaf')));
    expect(threads()).toBeGreaterThanOrEqual(2);
    await sandbox.close();
    for (const result of await calls) expect(result).toMatchObject({ status: 'rejected' });
    expect(threads()).toBe(0);
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate')).toEqual(idle);
    await expect(compile(QUICK)).rejects.toMatchObject({ code: 'script_failed' });
  });

  test('a sandbox that no script has used starts no thread and needs to end none', async () => {
    const { sandbox } = await fixtureOfTest();
    expect(threads()).toBe(0);
    await sandbox.close();
  });
});

/** Timers of the test runner itself. */
const idle = process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'Immediate');

function threads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}
