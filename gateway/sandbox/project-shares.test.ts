import { afterEach, expect, test } from 'vitest';
import { SCOPES } from '#common/scopes.ts';
import type { Script } from '#sdk';
import { until } from '#test/until.ts';
import { callWith, holding, stubDoor } from './capability-fixture.ts';
import { QUEUE_LIMITS } from './limits.ts';
import { call, type Fixture, makeFixture } from './sandbox-fixture.ts';

let fixture: Fixture | null = null;
afterEach(async () => {
  await fixture?.sandbox.close();
  fixture = null;
});

/** Runs for 40 ms, so each is known as slow after its first run. */
const SPIN = 'export default () => { const end = Date.now() + 40; while (Date.now() < end); return 1; };';
const MANY = 12;
const LONG = { timeout: 60_000 };

async function scripts(project: string, count: number, code: string): Promise<Script[]> {
  const made = (fixture ??= await makeFixture({ limits: { ...QUEUE_LIMITS, calls: 80 } }));
  const compile = () => made.sandbox.compile(code, { deadlineSeconds: 60, name: 'spin', project });
  return Promise.all(Array.from({ length: count }, compile));
}

test('many slow scripts of one project leave a slow script of another project its turn', LONG, async () => {
  const greedy = await scripts('greedy', MANY, SPIN);
  const [polite] = (await scripts('polite', 1, SPIN)) as [Script];
  await Promise.all([...greedy, polite].map((script) => call(script)));
  const order: string[] = [];
  const note = (name: string, script: Script) => call(script).then(() => order.push(name));
  const flood = greedy.flatMap((script) => [note('greedy', script), note('greedy', script), note('greedy', script)]);
  const one = note('polite', polite);
  await Promise.all([...flood, one]);
  // It waited for the calls in progress, but not for the whole queue.
  expect(order.indexOf('polite')).toBeLessThan(MANY);
});

test('calls of one project are at most half of the waiting ones, and those of another are accepted', LONG, async () => {
  const [greedy] = (await scripts('greedy', 1, SPIN)) as [Script];
  const [polite] = (await scripts('polite', 1, 'export default () => 2;')) as [Script];
  const flood = Array.from({ length: 60 }, () => call(greedy).catch((error: { code: string }) => error.code));
  const ends = Array.from({ length: 20 }, () => call(polite));
  expect(await Promise.all(ends)).toEqual(Array.from({ length: 20 }, () => 2));
  const refused = (await Promise.all(flood)).filter((end) => end === 'script_overloaded');
  expect(refused).toHaveLength(20);
});

test.each([
  ['number', { suspendedRuns: 8 }, 4],
  ['memory', { suspendedBytes: 8 * 1024 * 1024 }, 5],
])(
  "runs of one project that wait for calls may use half of their %s, and another project's may wait too",
  LONG,
  async (_title, limit, half) => {
    const made = (fixture = await makeFixture({ limits: { ...QUEUE_LIMITS, ...limit } }));
    const code =
      "export default async () => { const a = new Uint8Array(400_000).fill(1); return (await vars.get('a')) + a[0] }";
    const compile = (project: string) => made.sandbox.compile(code, { deadlineSeconds: 60, name: 'wait', project });
    const [greedy, polite] = [await compile('greedy'), await compile('polite')];
    const gate = Promise.withResolvers<number>();
    let asked = 0;
    const gated = () => ((asked += 1), gate.promise);
    const flood = Array.from({ length: 16 }, () =>
      callWith(greedy, holding(stubDoor(gated), SCOPES)).catch(({ code: refused }) => refused),
    );
    // The first refused call shows that the project has reached its share.
    expect(await Promise.race(flood)).toBe('script_overloaded');
    await until('all of its runs have called', () => asked === 16);
    const waits = [1, 2].map(() => callWith(polite, holding(stubDoor(gated), SCOPES)));
    await until('both wait', () => asked === 18);
    gate.resolve(1);
    expect(await Promise.all(waits)).toEqual([2, 2]);
    const ended = await Promise.all(flood);
    const waited = ended.filter((end) => end === 2).length;
    expect(waited).toBeGreaterThanOrEqual(3);
    expect(waited).toBeLessThanOrEqual(half);
  },
);
