import { afterEach, expect, test } from 'vitest';
import { PatternThread } from './pattern-thread.ts';

const running = new AbortController().signal;
const pattern = '(a|b)*a(a|b){200}$';
const starved = new URL('./testing/starved-thread.ts', import.meta.url);
const lost = new URL('./testing/lost-thread.ts', import.meta.url);
let threads: PatternThread[] = [];
afterEach(async () => {
  await Promise.all(threads.map((thread) => thread.close()));
  threads = [];
});

function open(options: ConstructorParameters<typeof PatternThread>[0] = {}): PatternThread {
  const thread = new PatternThread(options);
  threads.push(thread);
  return thread;
}

/** The automaton of this pattern is too large to be cached: about 0.1 s. */
function costlyText(): string {
  let seed = 1;
  const letter = () => ((seed = (seed * 48_271) % 2_147_483_647) % 2 === 0 ? 'a' : 'b');
  return Array.from({ length: 6_000 }, letter).join('');
}

test('reports the CPU time that a match took', async () => {
  const thread = open();
  const text = 'a'.repeat(500);
  expect(await thread.match('p', { pattern, text }, running)).toMatchObject({ matches: true });
  expect(await thread.match('p', { pattern, text: 'b'.repeat(500) }, running)).toMatchObject({ matches: false });
  expect((await thread.match('p', { pattern, text: costlyText() }, running)).cpuMs).toBeGreaterThan(1);
});

test('projects take turns', async () => {
  const thread = open();
  const order: string[] = [];
  const match = async (project: string) => {
    await thread.match(project, { pattern, text: 'a'.repeat(500) }, running);
    order.push(project);
  };
  await Promise.all([...Array.from({ length: 5 }, () => match('greedy')), match('polite')]);
  expect(order.indexOf('polite')).toBeLessThan(3);
});

test('a match that takes too long is ended, and the one after it runs in a new thread', async () => {
  const thread = open({ cpuMsMax: 1 });
  const all = ['p', 'q'].map((project) => thread.match(project, { pattern, text: costlyText() }, running));
  for (const ended of all) await expect(ended).rejects.toMatchObject({ code: 'pattern_too_costly' });
});

test('a match in a thread that gets no CPU time has more time', async () => {
  const thread = open({ program: starved, cpuMsMax: 50 });
  const matched = thread.match('p', { pattern, text: '500' }, running);
  expect(await matched).toMatchObject({ matches: true });
});

test('the additional time is limited as well', async () => {
  const thread = open({ program: starved, cpuMsMax: 50, msMax: 200 });
  const ended = thread.match('p', { pattern, text: '60000' }, running);
  await expect(ended).rejects.toMatchObject({ code: 'pattern_too_costly' });
});

test.each([
  ['ends by itself', lost, ''],
  ['fails', lost, 'broken'],
  ['does not start', new URL('./testing/absent.ts', import.meta.url), ''],
  ['cannot be started', new URL('https://example.com/thread.ts'), ''],
])('matches in a thread that %s are neither made nor refused', async (_what, program, text) => {
  const thread = open({ program });
  const all = ['p', 'q'].map((project) => thread.match(project, { pattern, text }, running));
  for (const ended of all) await expect(ended).rejects.toMatchObject({ code: 'patterns_unavailable' });
});

test('a string that is too long for its pattern is refused', async () => {
  const refused = open().match('p', { pattern, text: 'a'.repeat(100_000) }, running);
  await expect(refused).rejects.toMatchObject({ code: 'pattern_too_costly' });
});

test('a cancelled run gets no match', async () => {
  const thread = open();
  const run = new AbortController();
  const first = thread.match('p', { pattern, text: costlyText() }, running);
  const waiting = thread.match('p', { pattern, text: 'a' }, run.signal);
  run.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'call_cancelled' });
  await expect(thread.match('p', { pattern, text: 'a' }, run.signal)).rejects.toMatchObject({ code: 'call_cancelled' });
  await first;
});
