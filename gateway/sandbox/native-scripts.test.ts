import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Script } from '#sdk';
import { testCapabilities } from '#sdk/testing.ts';
import type { Sandbox } from './contract.ts';
import { NativeRuns } from './native/native-runs.ts';
import { compileNative, LEFT } from './native/native-script.ts';
import { createSandbox } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ native: true, log: () => undefined });
});
afterAll(() => sandbox.close());

const run = { signal: new AbortController().signal, capabilities: testCapabilities() };
async function compile(code: string) {
  return sandbox.compile(code, { deadlineSeconds: 60, name: 'test' });
}

test('a script of the native part has its result, and errors are those of the sandbox', async () => {
  const script = await compile(
    'export default ({ lines }) => {\n  if (lines.length === 0) throw new Error("no lines");\n  return { total: lines.reduce((sum, { n }) => sum + n, 0) };\n};',
  );
  expect(await script.call({ lines: [{ n: 1 }, { n: 2 }] }, run)).toEqual({ total: 3 });
  await expect(script.call({ lines: [] }, run)).rejects.toMatchObject({
    code: 'script_failed',
    message: 'no lines (line 2)',
  });
  await expect(script.call({}, run)).rejects.toMatchObject({ code: 'script_failed' });
  script.close();
  await expect(script.call({ lines: [{ n: 1 }] }, run)).rejects.toThrow('the script is closed');
});

test('a run that was cancelled before it began has no result', async () => {
  const script = await compile('export default (n) => n');
  const signal = AbortSignal.abort();
  await expect(script.call(1, { ...run, signal })).rejects.toMatchObject({ code: 'script_cancelled' });
  script.close();
});

/** A run in the sandbox needs an answer of another thread, and so at least a turn of the event loop. */
async function endsInThisTurn(script: Script, input: unknown): Promise<boolean> {
  let ended = false;
  const result = script.call(input, run).then(() => (ended = true));
  for (let turns = 0; turns < 100; turns++) await Promise.resolve();
  const early = ended;
  await result;
  return early;
}

test('the setting is used from the next run on, by scripts of the native part only', async () => {
  const script = await compile('export default (list) => list.map((n) => n + 1)');
  const other = await compile('export default (list) => list.map((n) => n + 1).splice(0)');
  expect(await endsInThisTurn(script, [1, 2])).toBe(true);
  expect(await endsInThisTurn(other, [1, 2])).toBe(false);
  const counted = { ...sandbox.runs };
  sandbox.useNative(false);
  expect(await endsInThisTurn(script, [1, 2])).toBe(false);
  sandbox.useNative(true);
  expect(await endsInThisTurn(script, [1, 2])).toBe(true);
  expect(sandbox.runs).toEqual({ native: counted.native + 1, sandbox: counted.sandbox + 1 });
  script.close();
  other.close();
});

test('a script that leaves many runs to the sandbox is tried rarely, and then again', () => {
  const runs = new NativeRuns('export default (n) => n + 1');
  const left = Array.from({ length: 20 }, () => runs.run(1)).filter((result) => result === LEFT);
  expect(left).toHaveLength(0);
  const failing = new NativeRuns('export default (n) => n.a');
  for (let n = 0; n < 8; n++) expect(failing.run(1)).toBe(LEFT);
  expect(failing.run({ a: 1 })).toBe(LEFT);
  let calls = 0;
  while (failing.run({ a: 1 }) === LEFT) calls += 1;
  expect(calls).toBeGreaterThan(500);
  expect(calls).toBeLessThan(2_000);
});

test.each([
  ['/x/.test(msg)', 'regular_expression'],
  ['[msg.a] = [1]', 'mutation'],
  ['msg.splice(0)', 'call'],
  ['msg.sort((a, b) => a.n < b.n)', 'function'],
  ['vars', 'name'],
  ['await msg', 'async'],
  ['class {}', 'operator'],
  ['new Date()', 'operator'],
])('%s is outside, with its line', (expression, reason) => {
  const code = `export default ${reason === 'async' ? 'async ' : ''}(msg) => {\n  return ${expression};\n}`;
  expect(() => compileNative(code)).toThrow(expect.objectContaining({ reason, line: reason === 'async' ? 1 : 2 }));
});

const LONG = 'a'.repeat(200_000);
/** A text in which V8 looks for the other in a time that grows with the product of their lengths. */
const SLOW = { text: `${`b${'a'.repeat(1999)}c`.repeat(7)}${'a'.repeat(10_000)}`, what: `b${'a'.repeat(2000)}` };

test.each([
  ['a search', 'text.includes(what)'],
  ['a search for the place', 'text.indexOf(what)'],
  ['a search from the end', 'text.lastIndexOf(what)'],
  ['a split', 'text.split(what)'],
  ['a replacement', "text.replace(what, '')"],
  ['replacements', "text.replaceAll(what, '')"],
  ['comparisons of two long strings', 'list.filter(() => text === what).length', { text: LONG, what: LONG }],
  ['orderings of two long strings', 'list.filter(() => text < what).length', { text: LONG, what: `${LONG}b` }],
  [
    'searches of a long string in a list',
    'list.filter(() => [text].includes(what)).length',
    { text: LONG, what: LONG },
  ],
])('%s with long strings of a caller costs steps: the run is left to the sandbox', (_, code, texts = SLOW) => {
  const script = compileNative(`export default ({ list, text, what }) => ${code}`);
  const list = Array.from({ length: 100 }, () => 0);
  expect(script.run(JSON.parse(JSON.stringify({ list, ...texts })))).toBe(LEFT);
});

const MANY_NAMES = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`name${index}`, index]));

test.each([
  ['names', 30, 'Object.keys(object).length'],
  ['entries', 12, 'Object.entries(object).length'],
  ['copies', 12, '({ ...object }).name1'],
  ['the rest', 12, 'rest(object)'],
  ['assigned copies', 12, 'Object.assign({}, object).name1'],
])('%s of an object with many names cost more than a step each: %i of them are too many', (_, count, code) => {
  const helper = 'const rest = ({ name1, ...others }) => others.name2;';
  const script = compileNative(`${helper} export default ({ list, object }) => list.map(() => ${code})`);
  const list = Array.from({ length: count }, () => 0);
  expect(script.run({ list: [0], object: MANY_NAMES })).toHaveLength(1);
  expect(script.run({ list, object: MANY_NAMES })).toBe(LEFT);
});
