import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '#common/scopes.ts';
import { until } from '#test/until.ts';
import { callWith, holding, stubDoor } from './capability-fixture.ts';
import { type Fixture, makeFixture } from './sandbox-fixture.ts';

/** The workers are threads of this process, so their memory shows in its resident size. */
const MIB = 1024 * 1024;
const CALLS = 25;
/** These copy hundreds of megabytes each. */
const GROWING_CALLS = 8;
/** Concurrently waiting runs, with about 2.5 MiB each: close to the limit of all. */
const RUSH = 80;
const FULL = 'const a = []; for (let i = 0; i < 50; i++) a.push(new Uint8Array(1e6).fill(1));';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await makeFixture();
});
afterAll(() => fixture.sandbox.close());

const resident = (): number => process.memoryUsage.rss();

test('the memory of runs that grow from wait to wait does not accumulate', async () => {
  const held = holding(
    stubDoor(() => null),
    SCOPES,
  );
  const body = `const a = []; for (let i = 0; i < 20; i++) { a.push(new Uint8Array(2e6).fill(1)); await vars.get('a') } return 1`;
  const script = await fixture.compile(`export default async () => { ${body} }`, 60);
  await callWith(script, held, null);
  const before = resident();
  for (let i = 0; i < GROWING_CALLS; i++) expect(await callWith(script, held, null)).toBe(1);
  expect(resident() - before).toBeLessThan(3 * 64 * MIB);
});

test('the memory of runs that wait repeatedly does not accumulate', async () => {
  const held = holding(
    stubDoor(() => null),
    SCOPES,
  );
  const script = await fixture.compile(
    `export default async () => { for (let i = 0; i < 3000; i++) await vars.get('a'); return 1 }`,
    60,
  );
  const before = resident();
  expect(await callWith(script, held, null)).toBe(1);
  expect(resident() - before).toBeLessThan(2 * 64 * MIB);
});

test('the memory of runs that are cancelled while they wait does not accumulate', async () => {
  let waits = (): void => undefined;
  // The call never returns; it begins in the turn in which its run is suspended.
  const door = stubDoor(() => {
    setImmediate(() => waits());
    return new Promise(() => undefined);
  });
  const held = holding(door, SCOPES);
  const script = await fixture.compile(`export default async () => { ${FULL} await vars.get('a') }`, 60);
  const giveUp = async (): Promise<void> => {
    const over = new AbortController();
    waits = () => over.abort();
    await expect(callWith(script, held, null, over.signal)).rejects.toMatchObject({ code: 'script_cancelled' });
  };
  await giveUp();
  const before = resident();
  for (let i = 0; i < CALLS; i++) await giveUp();
  expect(resident() - before).toBeLessThan(4 * 64 * MIB);
});

test.each(['are answered', 'are given up'])(
  'the memory of many runs that waited at once is free once they %s',
  async (how) => {
    const gate = Promise.withResolvers<null>();
    let waiting = 0;
    const held = holding(
      stubDoor(() => ((waiting += 1), gate.promise)),
      SCOPES,
    );
    const body = "const a = new Uint8Array(2e6).fill(1); await vars.get('a'); return a.length";
    const script = await fixture.compile(`export default async () => { ${body} }`, 60);
    const before = resident();
    const over = new AbortController();
    const runs = Promise.allSettled(Array.from({ length: RUSH }, () => callWith(script, held, null, over.signal)));
    await until('all wait', () => waiting === RUSH);
    // Part of its memory may already have been allocated by earlier tests.
    expect(resident() - before).toBeGreaterThan(RUSH * 1e6);
    if (how === 'are given up') over.abort();
    gate.resolve(null);
    const ended = how === 'are given up' ? 'rejected' : 'fulfilled';
    expect((await runs).filter(({ status }) => status === ended)).toHaveLength(RUSH);
    // Spare buffers, and an instance of each of two workers that is not collected yet.
    expect(resident() - before).toBeLessThan(100 * MIB);
  },
);
