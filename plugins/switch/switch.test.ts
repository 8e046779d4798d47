import { describe, expect, test } from 'vitest';
import { emitted, faultsOf, messageOf, nodeOf, testRun, withBody } from '../sdk/testing.ts';
import { switchKind } from './index.ts';

async function matches(operator: string, wanted: unknown, value: unknown): Promise<boolean> {
  const one = wanted === undefined ? { port: 'yes', operator } : { port: 'yes', operator, value: wanted };
  const node = await nodeOf(switchKind, { path: 'payload.body', cases: [one] });
  return emitted(node.run(value === undefined ? messageOf({}) : withBody(value), testRun())).port === 'yes';
}

const ABSENT = undefined;

describe('the operator', () => {
  test.each([
    ['eq', 1, 1, true],
    ['eq', 1, '1', false],
    ['eq', null, null, true],
    ['eq', null, ABSENT, false],
    ['eq', { a: [1] }, { a: [1] }, true],
    ['eq', { a: 1 }, { a: 1, b: 2 }, false],
    ['eq', { a: 1, b: 1 }, { b: 1, a: 1 }, true],
    ['eq', [1, 2], [2, 1], false],
    ['eq', [1], { 0: 1 }, false],
    ['eq', { 0: 1 }, [1], false],
    ['eq', {}, new Uint8Array(0), false],
    ['eq', { toString: 1 }, { a: 1 }, false],
    ['ne', 1, 2, true],
    ['ne', 1, 1, false],
    ['ne', 'a', ABSENT, true],
    ['ne', { a: 1 }, { a: 1 }, false],
    ['lt', 5, 4, true],
    ['lt', 5, 5, false],
    ['lt', 5, '4', false],
    ['lt', 'b', 'a', true],
    ['lt', 5, null, false],
    ['lt', 5, ABSENT, false],
    ['lt', 5, NaN, false],
    ['le', 5, 5, true],
    ['le', 5, 6, false],
    ['le', 'a', 'a', true],
    ['gt', 5, 6, true],
    ['gt', 5, 5, false],
    ['gt', 'a', 'b', true],
    ['gt', 5, [6], false],
    ['ge', 5, 5, true],
    ['ge', 5, 4, false],
    ['ge', 'b', 'a', false],
    ['ge', 5, NaN, false],
    ['in', ['a', 'b'], 'b', true],
    ['in', ['a', 'b'], 'c', false],
    ['in', [], 'a', false],
    ['in', [{ a: 1 }], { a: 1 }, true],
    ['in', ['a'], ABSENT, false],
    ['in', [null], null, true],
    ['contains', 'bc', 'abcd', true],
    ['contains', 'x', 'abcd', false],
    ['contains', 2, [1, 2], true],
    ['contains', 3, [1, 2], false],
    ['contains', { a: 1 }, [{ a: 1 }], true],
    ['contains', 'a', { a: 1 }, false],
    ['contains', 1, '1', false],
    ['startsWith', 'ab', 'abc', true],
    ['startsWith', 'bc', 'abc', false],
    ['startsWith', 'a', ['a'], false],
    ['startsWith', '1', 12, false],
    ['matches', '^ORD-\\d{3}$', 'ORD-123', true],
    ['matches', '^ORD-\\d{3}$', 'ORD-1234', false],
    ['matches', 'b', 'abc', true],
    ['matches', '1', 1, false],
    ['matches', '\\u00e9', 'é', true],
    ['matches', '^a', 'b\na', false],
    ['exists', ABSENT, 0, true],
    ['exists', ABSENT, '', true],
    ['exists', ABSENT, false, true],
    ['exists', ABSENT, null, false],
    ['exists', ABSENT, ABSENT, false],
    ['missing', ABSENT, ABSENT, true],
    ['missing', ABSENT, null, true],
    ['missing', ABSENT, 0, false],
  ])('%s %j of %j: %s', async (operator, wanted, value, expected) => {
    expect(await matches(operator, wanted, value)).toBe(expected);
  });
});

describe('a switch', () => {
  const cases = [
    { port: 'big', operator: 'ge', value: 10 },
    { port: 'any', operator: 'exists' },
    { port: 'big', operator: 'missing' },
  ];

  test('sends the message itself to the first case that matches', async () => {
    const node = await nodeOf(switchKind, { path: 'payload.body', cases });
    const message = withBody(12);
    expect(node.run(message, testRun())).toEqual({ port: 'big', message });
    expect(emitted(node.run(withBody(2), testRun())).port).toBe('any');
    expect(emitted(node.run(withBody(null), testRun())).port).toBe('big');
  });

  test('has each port once, and the port otherwise', () => {
    expect(
      switchKind.ports(
        switchKind.settings.parse({
          path: 'payload',
          cases: cases.map((one) => ({ ...one, operator: one.operator as 'ge' })),
        }),
      ),
    ).toEqual(['big', 'any', 'otherwise']);
  });

  test('ignores inherited properties', async () => {
    const node = await nodeOf(switchKind, {
      path: 'payload.constructor',
      cases: [{ port: 'yes', operator: 'exists' }],
    });
    expect(emitted(node.run(messageOf({}), testRun())).port).toBe('otherwise');
  });

  test('quickly matches a pattern that is exponential elsewhere, and refuses a string that would cost too much', async () => {
    const node = await nodeOf(switchKind, {
      path: 'payload.body',
      cases: [{ port: 'yes', operator: 'matches', value: '^(a+)+$' }],
    });
    const started = performance.now();
    expect(emitted(await node.run(withBody('a'.repeat(100_000) + '!'), testRun())).port).toBe('otherwise');
    expect(performance.now() - started).toBeLessThan(2_000);
    await expect(node.run(withBody('a'.repeat(4_000_000)), testRun())).rejects.toThrow(
      expect.objectContaining({ code: 'pattern_too_costly' }),
    );
  });

  test('runs expensive matches in the pattern thread, one after the other', async () => {
    const costly = (n: number) => ({ port: `p${n}`, operator: 'matches', value: `(a|b)*a(a|b){20${n}}$` });
    const node = await nodeOf(switchKind, { path: 'payload.body', cases: [costly(0), costly(1), costly(2)] });
    const run = testRun();
    const matched: string[] = [];
    const matches = async (pattern: string) => (matched.push(pattern), { matches: pattern.includes('201'), cpuMs: 0 });
    expect(emitted(await node.run(withBody('ab'.repeat(300)), { ...run, matches })).port).toBe('p1');
    expect(matched).toEqual([costly(0).value, costly(1).value]);
  });

  test('lets other work run between cases that take long together', async () => {
    const costly = (n: number) => ({ port: `p${n}`, operator: 'matches', value: '(a|b)*a(a|b){200}$' });
    const cases = Array.from({ length: 4 }, (_, n) => costly(n));
    const node = await nodeOf(switchKind, { path: 'payload.body', cases });
    let seed = 1;
    const letter = () => ((seed = (seed * 48_271) % 2_147_483_647) % 2 === 0 ? 'a' : 'b');
    const text = Array.from({ length: 6_000 }, letter).join('');
    expect(text.at(-201)).toBe('b');
    let turns = 0;
    const run = testRun();
    const nextTurn = () => ((turns += 1), run.nextTurn());
    const outcome = await node.run(withBody(text), { ...run, nextTurn });
    expect(outcome?.port).toBe('otherwise');
    expect(turns).toBe(3);
  });

  test.each([
    [{ port: 'error', operator: 'exists' }, /"error" is the port for failures/],
    [{ port: 'a b', operator: 'exists' }, /expected the name of a port/],
    [{ port: 'a', operator: 'eq' }, /"eq" needs a value/],
    [{ port: 'a', operator: 'lt', value: true }, /number or a string/],
    [{ port: 'a', operator: 'in', value: 'x' }, /needs a list/],
    [{ port: 'a', operator: 'startsWith', value: 1 }, /needs a string/],
    [{ port: 'a', operator: 'exists', value: 1 }, /takes no value/],
    [{ port: 'a', operator: 'matches', value: '(' }, /is not valid/],
    [{ port: 'a', operator: 'matches', value: '(a)\\1' }, /back-references are not available/],
    [{ port: 'a', operator: 'matches', value: '(a{500}){3}' }, /not valid|too large/],
    [{ port: 'a', operator: 'matches', value: 'a'.repeat(1_001) }, /at most 1000 characters/],
    [{ port: 'a', operator: 'exists', also: 1 }, /Unrecognized key/],
  ])('refuses the case %j', (one, says) => {
    expect(faultsOf(switchKind, { path: 'payload', cases: [one] })).toEqual([expect.stringMatching(says)]);
  });
});
