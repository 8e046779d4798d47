import { expect, test } from 'vitest';
import { faultsOf, messageOf, nodeOf, testRun } from '#sdk/testing.ts';
import { script } from './index.ts';

async function argsFor(args: unknown, payload: unknown): Promise<unknown> {
  const node = await nodeOf(script, { script: 'sum', ...(args !== undefined && { args }) });
  let asked: unknown;
  const run = testRun((_name, given) => (asked = given));
  await node.run(messageOf(payload), run);
  return asked;
}

test.each([
  [undefined, {}],
  [{}, {}],
  [{ a: '{{payload.list}}' }, { a: [1, { x: null }] }],
  [{ a: '{{ payload.n }}' }, { a: 7 }],
  [{ a: ' {{payload.n}}' }, { a: ' 7' }],
  [{ a: '{{payload.n}}{{payload.n}}' }, { a: '77' }],
  [{ a: '{{payload.none}}' }, { a: null }],
  [
    { a: 'text', b: 1, c: null, d: [true], e: { f: '{{payload.n}}' } },
    { a: 'text', b: 1, c: null, d: [true], e: { f: '{{payload.n}}' } },
  ],
  [{ a: '' }, { a: '' }],
])('arguments %j become %j', async (args, expected) => {
  expect(await argsFor(args, { n: 7, list: [1, { x: null }] })).toEqual({ name: 'sum', args: expected });
});

test('the result is placed as configured; a script that returns nothing gives null', async () => {
  const node = await nodeOf(script, { script: 'sum', into: 'payload.body.sum' });
  const outcome = await node.run(
    messageOf({ body: { a: 1 } }),
    testRun(() => 3),
  );
  expect(outcome?.message.payload).toEqual({ body: { a: 1, sum: 3 } });
  const nothing = await node.run(
    messageOf({ body: {} }),
    testRun(() => undefined),
  );
  expect(nothing?.message.payload).toEqual({ body: { sum: null } });
});

test.each([
  [{}, /^script: expected a string/],
  [{ script: '{{payload.x}}' }, /^script: expected 1 to 63/],
  [{ script: 'a', args: [] }, /^args: expected an object of arguments/],
  [{ script: 'a', args: { x: '{{a..b}}' } }, /^args: expected a path such as/],
  [
    { script: 'a', args: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`a${i}`, 1])) },
    /^args: expected at most 64 arguments/,
  ],
  [{ script: 'a', args: { x: 'a'.repeat(16_385) } }, /^args: x: expected a string of at most/],
])('%j is refused on saving', (settings, says) => {
  expect(faultsOf(script, settings)).toEqual([expect.stringMatching(says)]);
});
