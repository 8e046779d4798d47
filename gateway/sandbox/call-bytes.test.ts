import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { SCOPES } from '#common/scopes.ts';
import { until } from '#test/until.ts';
import { fixtureOfTest } from './fixture-of-test.testing.ts';
import { callWith, holding, stubDoor } from './capability-fixture.ts';
import { CallBytes } from './call-bytes.ts';
import { QUEUE_LIMITS } from './limits.ts';

/**
 * Bytes of capability calls are in the gateway's own memory: arguments until the call ends, results until a guest takes
 * them.
 */
const MIB = 1024 * 1024;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** Reads return half a MiB, all at the same time. */
function reading() {
  const gate = Promise.withResolvers<Uint8Array>();
  let asked = 0;
  const door = stubDoor(() => ((asked += 1), gate.promise));
  return {
    held: holding(door, SCOPES),
    asked: () => asked,
    open: () => gate.resolve(new Uint8Array(MIB / 2)),
  };
}

const READ_TEN = `export default async () => {
  const read = () => files.read('a', 'bytes').then((bytes) => bytes.length, ({ code }) => code);
  return (await Promise.all(Array.from({ length: 10 }, read))).sort();
}`;
const LENGTH = MIB / 2;
/** Enough for four of them. */
const FOUR = 4 * LENGTH + 1024;
const TOO_MUCH = 'script_overloaded';

test('a limited number of results waits for one run; further calls fail, and there is room again when it took some', async () => {
  const { compile } = await fixtureOfTest({ ...QUEUE_LIMITS, callBytesPerRun: FOUR });
  const script = await compile(READ_TEN);
  for (let round = 0; round < 2; round++) {
    const { held, asked, open } = reading();
    const run = callWith(script, held);
    await until('all are asked', () => asked() === 10);
    open();
    expect(await run).toEqual([...Array(4).fill(LENGTH), ...Array(6).fill(TOO_MUCH)]);
  }
});

test('the number is limited for all runs together', async () => {
  const { compile } = await fixtureOfTest({ ...QUEUE_LIMITS, callBytes: FOUR });
  const script = await compile(READ_TEN);
  for (let round = 0; round < 2; round++) {
    const { held, asked, open } = reading();
    const runs = [callWith(script, held), callWith(script, held)];
    await until('all are asked', () => asked() === 20);
    open();
    const came = (await Promise.all(runs)).flat();
    expect(came.filter((one) => one === LENGTH)).toHaveLength(4);
    expect(came.filter((one) => one === TOO_MUCH)).toHaveLength(16);
  }
});

test('runs of one project hold at most half, and those of another have room', () => {
  const bytes = new CallBytes({ ...QUEUE_LIMITS, callBytes: 100, callBytesPerRun: 100 });
  expect([bytes.take(50, 0, 'line-1'), bytes.take(1, 0, 'line-1'), bytes.take(50, 0, 'line-2')]).toEqual([
    true,
    false,
    true,
  ]);
  bytes.giveBack(50, 'line-1');
  bytes.giveBack(50, 'line-2');
  expect([bytes.take(30, 0, 'line-1'), bytes.take(70, 0, null), bytes.take(1, 0, 'line-2')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('results of calls that a finished run did not wait for are not kept', async () => {
  const { compile } = await fixtureOfTest(QUEUE_LIMITS);
  const script = await compile(
    `export default () => { for (let n = 0; n < 200; n++) files.read('' + n, 'bytes'); return 'done' }`,
  );
  const last = Promise.withResolvers<Uint8Array>();
  let given = 0;
  const door = stubDoor(({ args }) => {
    if (args['path'] === '199') return last.promise;
    given += 1;
    return new Uint8Array(MIB);
  });
  const before = process.memoryUsage().arrayBuffers;
  const run = callWith(script, holding(door, SCOPES));
  await until('all others are answered', () => given === 199);
  await until('they are released', () => {
    collect();
    return process.memoryUsage().arrayBuffers - before < 100 * MIB;
  });
  last.resolve(new Uint8Array(1));
  expect(await run).toBe('done');
});

test("the arguments of a run's active calls are limited, with room again when they have ended", async () => {
  const { compile } = await fixtureOfTest({ ...QUEUE_LIMITS, callBytesPerRun: FOUR });
  const script = await compile(`export default async (count) => {
    const bytes = new Uint8Array(${LENGTH});
    const writes = [];
    for (let n = 0; n < count; n++) {
      writes.push(files.write('' + n, bytes, 'bytes'));
      await vars.get('a');
    }
    return (await Promise.all(writes)).length;
  }`);
  const gate = Promise.withResolvers<null>();
  const door = stubDoor(({ name }) => (name === 'files.write' ? gate.promise : 1));
  const held = holding(door, SCOPES);
  await expect(callWith(script, held, 10)).rejects.toMatchObject({ code: TOO_MUCH });
  gate.resolve(null);
  expect(await callWith(script, held, 10)).toBe(10);
});

test('calls that are refused at once are no longer active', async () => {
  const { compile } = await fixtureOfTest(QUEUE_LIMITS);
  const script = await compile(`export default async () => {
    let refused = 0;
    for (let n = 0; n < 300; n++)
      await vars.set('a', JSON.parse('{"__proto__":1}')).catch(({ code }) => { if (code === 'call_invalid') refused++ });
    return refused;
  }`);
  expect(
    await callWith(
      script,
      holding(
        stubDoor(() => null),
        SCOPES,
      ),
    ),
  ).toBe(300);
});
