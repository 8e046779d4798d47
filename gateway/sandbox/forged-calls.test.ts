import { afterEach, expect, test } from 'vitest';
import { SCOPES } from '#common/scopes.ts';
import { callWith, holding, stubDoor } from './capability-fixture.ts';
import { readCalls } from './guest-calls.ts';
import { CALLS_PENDING_MAX } from './limits.ts';
import { type Fixture, makeFixture } from './sandbox-fixture.ts';

/**
 * The guest's half of calls is no guard: a script that changes the prototypes of its realm can write anything there.
 */
let made: Fixture | null = null;
afterEach(() => made?.sandbox.close());

test('calls with the number of another call do not escape the count of active calls', async () => {
  made = await makeFixture();
  const script = await made.compile(`export default async () => {
    Object.defineProperty(Array.prototype, '0', {
      configurable: true,
      set(value) {
        if (value?.[1] === 'vars.set') value[0] = 1;
        Object.defineProperty(this, '0', { value, writable: true, enumerable: true, configurable: true });
      },
    });
    for (let n = 0; n < ${CALLS_PENDING_MAX + 10}; n++) {
      vars.set('a', n);
      await vars.get('a');
    }
  }`);
  const gate = Promise.withResolvers<null>();
  let open = 0;
  const door = stubDoor(({ name }) => {
    if (name !== 'vars.set') return 1;
    open += 1;
    if (open > CALLS_PENDING_MAX) gate.resolve(null);
    return gate.promise;
  });
  await expect(callWith(script, holding(door, SCOPES))).rejects.toMatchObject({ code: 'script_failed' });
  gate.resolve(null);
  expect(open).toBeLessThanOrEqual(CALLS_PENDING_MAX);
});

test('no more numbers of unknown calls are read than can exist', () => {
  const text = JSON.stringify([[], Array(100_000).fill(1)]);
  expect(readCalls(text, () => null)?.unheard).toHaveLength(CALLS_PENDING_MAX + 1);
});

test('too many concurrent calls that nobody waits for are reported as such', async () => {
  made = await makeFixture();
  const script = await made.compile(
    `export default () => { for (let n = 0; n < ${CALLS_PENDING_MAX + 10}; n++) vars.set('a', n); }`,
  );
  await expect(
    callWith(
      script,
      holding(
        stubDoor(() => null),
        SCOPES,
      ),
    ),
  ).rejects.toMatchObject({ code: 'script_overloaded' });
});
