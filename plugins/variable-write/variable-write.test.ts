import { expect, test } from 'vitest';
import { ScopeMissingError } from '#sdk';
import { faultsOf, messageOf, nodeOf, testRun } from '#sdk/testing.ts';
import { variableRead } from '../variable-read/index.ts';
import { variableWrite } from './index.ts';

async function calls(settings: object, payload: unknown, answer: unknown = null) {
  const made: unknown[] = [];
  const node = await nodeOf(variableWrite, settings);
  const run = testRun((name, args) => {
    made.push([name, args]);
    return answer;
  });
  return { made, outcome: await node.run(messageOf(payload), run) };
}

test.each([
  [{ name: 'a', value: null }, ['vars.set', { name: 'a', value: null }]],
  [{ name: 'a/{{payload.id}}', from: 'payload.deep' }, ['vars.set', { name: 'a/7', value: { x: [1] } }]],
  [{ name: 'a', from: 'payload.none' }, ['vars.set', { name: 'a', value: null }]],
  [{ name: 'a', increment: -2 }, ['vars.increment', { name: 'a', by: -2 }]],
  [{ name: 'a', increment: 0 }, ['vars.increment', { name: 'a', by: 0 }]],
  [{ name: 'a', value: 1, ifEquals: null }, ['vars.compareAndSet', { name: 'a', expected: null, value: 1 }]],
  [
    { name: 'a', from: 'payload.id', ifEquals: { b: 1 } },
    ['vars.compareAndSet', { name: 'a', expected: { b: 1 }, value: 7 }],
  ],
])('%j makes one call', async (settings, call) => {
  const { made } = await calls(settings, { id: 7, deep: { x: [1] } });
  expect(made).toEqual([call]);
});

test('only a sum or a comparison changes the message', async () => {
  const payload = { id: 7 };
  expect((await calls({ name: 'a', value: 1 }, payload)).outcome).toEqual({ port: 'out', message: messageOf(payload) });
  const sum = await calls({ name: 'a', increment: 1, into: 'payload.n' }, payload, 8);
  expect(sum.outcome?.message.payload).toEqual({ id: 7, n: 8 });
  const compared = await calls({ name: 'a', value: 1, ifEquals: 2 }, payload, false);
  expect(compared.outcome?.message.payload).toEqual({ id: 7, result: false });
});

test.each([
  [{ name: 'a' }, /: expected exactly one of value, from, increment/],
  [{ name: 'a', value: 1, from: 'payload.a' }, /: expected exactly one of/],
  [{ name: 'a', value: 1, increment: 1 }, /: expected exactly one of/],
  [{ name: 'a', increment: 1, ifEquals: 1 }, /^ifEquals: expected ifEquals only with value or from/],
  [{ name: 'a', increment: '1' }, /^increment: expected a number/],
  [{ name: 'a b', value: 1 }, /^name: expected a variable name/],
  [{ name: '../a\\', value: 1 }, /^name: expected a variable name/],
  [{ name: '..', value: 1 }, /^name: expected a name other than "." and ".."/],
  [{ name: '.', increment: 1 }, /^name: expected a name other than "." and ".."/],
  [{ name: '', value: 1 }, /^name: expected a variable name/],
  [{ name: 'a', value: 1, into: 'request.x' }, /^into: expected a path below payload/],
  [{ value: 1 }, /^name: expected a string/],
])('%j is refused on saving', (settings, says) => {
  expect(faultsOf(variableWrite, settings)).toEqual([expect.stringMatching(says)]);
});

test('a message whose capability call is refused is passed on unchanged', async () => {
  const missing = () => {
    throw new ScopeMissingError(['vars:write']);
  };
  const node = await nodeOf(variableWrite, { name: 'a', value: 1 });
  await expect(node.run(messageOf({}), testRun(missing))).rejects.toThrow(ScopeMissingError);
  expect(variableWrite.scopes(variableWrite.settings.parse({ name: 'a', value: 1 }))).toEqual(['vars:write']);
});

test('a variable is read by the name that the message provides', async () => {
  const node = await nodeOf(variableRead, { name: 'line/{{payload.line}}', into: 'payload.deep.value' });
  const run = testRun((name, args) => [name, args]);
  expect(await node.run(messageOf({ line: 7 }), run)).toMatchObject({
    message: { payload: { line: 7, deep: { value: ['vars.get', { name: 'line/7' }] } } },
  });
  expect(faultsOf(variableRead, { name: '..' })).toEqual([]);
  expect(faultsOf(variableRead, { name: 'a//b' })).toEqual([expect.stringMatching(/^name: expected a variable name/)]);
});
