import { afterEach, expect, test } from 'vitest';
import type { Script } from '#sdk';
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

test("a project's many slow scripts leave another project's slow script its turn", LONG, async () => {
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

test("one project's calls are at most half of those that wait; another's are taken", LONG, async () => {
  const [greedy] = (await scripts('greedy', 1, SPIN)) as [Script];
  const [polite] = (await scripts('polite', 1, 'export default () => 2;')) as [Script];
  const flood = Array.from({ length: 60 }, () => call(greedy).catch((error: { code: string }) => error.code));
  const ends = Array.from({ length: 20 }, () => call(polite));
  expect(await Promise.all(ends)).toEqual(Array.from({ length: 20 }, () => 2));
  const refused = (await Promise.all(flood)).filter((end) => end === 'script_overloaded');
  expect(refused).toHaveLength(20);
});
