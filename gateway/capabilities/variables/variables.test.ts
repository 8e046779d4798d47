import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { assert, asyncProperty, jsonValue } from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallInput, CallValue } from '#common/capabilities/calls.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { createLogger } from '#common/node/log.ts';
import { NodeError } from '#sdk';
import { killedChild } from '#test/killed-child.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { callContext } from '../call-context.testing.ts';
import type { CallContext, Capability } from '../contract.ts';
import { CapabilityBroker } from '../capability-broker.ts';
import { VALUE_BYTES_MAX } from './json-value.ts';
import { LISTED_BYTES_MAX, TOTAL_BYTES_MAX, VARIABLES_MAX } from './variable-store.ts';
import { createVariables, FILES_OPEN_MAX, type VariableCalls } from './variables.ts';
import { ENDLESS_DISK } from '../disk-room.testing.ts';

const dir = dirPerTest();
let variables: Capability<VariableCalls>;
let door: CapabilityBroker;
const lines: string[] = [];
const open = (): void => {
  variables = createVariables({
    dataDir: dir.path,
    disk: ENDLESS_DISK,
    log: createLogger('test', (line) => void lines.push(line)),
  });
  door = new CapabilityBroker([variables]);
};
const reopen = async (): Promise<void> => {
  await variables.close();
  open();
};
const file = (project = 'p'): string => join(dir.path, 'projects', project, 'variables.sqlite');

beforeEach(() => {
  lines.length = 0;
  open();
});
afterEach(() => variables.close());

function contextOf(project: string): CallContext {
  return callContext({ project });
}

function call<N extends VariableCalls>(name: N, args: CallInput<N>, project = 'p'): Promise<CallValue<N>> {
  return door.call(contextOf(project), name, args);
}
const get = (name: string, project?: string) => call('vars.get', { name }, project);
const set = (name: string, value: unknown, project?: string) => call('vars.set', { name, value }, project);
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => (error instanceof NodeError ? error.code : error),
  );

describe('a variable', () => {
  test.each([null, true, 0, -1.5, '', 'text', 'a\u0000b', [], {}, [1, [2, { a: null }]], { 'a.b': { c: [] } }])(
    'holds %j across a restart',
    async (value) => {
      await set('shift/current', value);
      expect(await get('shift/current')).toEqual(value);
      await reopen();
      expect(await get('shift/current')).toEqual(value);
    },
  );

  test('holds any JSON that fast-check generates', async () => {
    await assert(
      asyncProperty(jsonValue(), async (value) => {
        await set('any', value);
        expect(JSON.stringify(await get('any'))).toBe(JSON.stringify(value));
        expect(await call('vars.compareAndSet', { name: 'any', expected: value, value })).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('that was never set is null, cannot be removed and is not listed', async () => {
    expect(await get('none')).toBeNull();
    expect(await call('vars.remove', { name: 'none' })).toBe(false);
    expect(await call('vars.list', {})).toEqual([]);
  });

  test('belongs to one project', async () => {
    await set('x', 1, 'a');
    await set('x', 2, 'b');
    expect([await get('x', 'a'), await get('x', 'b'), await get('x', 'c')]).toEqual([1, 2, null]);
  });

  test('stores bytes as base64 and a missing value as null', async () => {
    await set('bytes', { raw: new Uint8Array([255]) });
    await set('nothing', undefined);
    expect([await get('bytes'), await get('nothing')]).toEqual([{ raw: '/w==' }, null]);
  });

  test('with a key named __proto__ changes no prototype', async () => {
    await set('sly', JSON.parse('{"__proto__": {"admin": true}, "a": 1}'));
    const read = (await get('sly')) as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(read)).toEqual(['__proto__', 'a']);
    expect('admin' in read).toBe(false);
    const plain = { name: 'sly', expected: { a: 1 }, value: 1 };
    expect(await call('vars.compareAndSet', plain)).toBe(false);
  });

  test.each([
    ['a function', () => 1],
    ['a bigint', 1n],
    ['nesting that is too deep', JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
  ])('refuses %s', async (_what, value) => {
    expect(await refusal(set('x', value))).toBe('variable_invalid');
    expect(await get('x')).toBeNull();
  });

  test.each([
    '',
    '/a',
    'a/',
    'a//b',
    'a b',
    '../a/..\\',
    'a b/ö',
    'a\u3164b',
    'a\u200bb',
    '😀',
    'a'.repeat(65),
    'ö'.repeat(65),
    "a'; DROP TABLE variables; --",
  ])('refuses a name like %j', async (name) => {
    expect(await refusal(set(name, 1))).toBe('call_invalid');
  });

  test('may have letters and digits of any script, in either normalization form', async () => {
    await set('weather/Köln', 1);
    expect(await get('weather/Ko\u0308ln')).toBe(1);
    await set('wetter/Łódź/東京/दिल्ली/٣', 2);
    expect(await call('vars.list', { prefix: 'weather/Ko\u0308' })).toMatchObject([{ name: 'weather/Köln', value: 1 }]);
    expect(await call('vars.list', { prefix: 'wetter/Łódź' })).toMatchObject([{ value: 2 }]);
    expect(await call('vars.remove', { name: 'weather/Köln' })).toBe(true);
  });

  test.each(['.', '..'])(
    'named %s, which no URL can hold, is not created, and an existing one is read and removed',
    async (name) => {
      const told = {
        code: 'call_invalid',
        message: expect.stringContaining('expected a name other than "." and ".."'),
      };
      await expect(set(name, 1)).rejects.toMatchObject(told);
      await expect(call('vars.increment', { name })).rejects.toMatchObject(told);
      await expect(call('vars.compareAndSet', { name, expected: null, value: 1 })).rejects.toMatchObject(told);
      await expect(set(`a/${name}`, 1)).resolves.toBeNull();
      await asEarlierVersions(name, 7);
      expect(await get(name)).toBe(7);
      expect(await call('vars.list', { prefix: '.' })).toMatchObject([{ name, value: 7 }]);
      expect([await call('vars.remove', { name }), await get(name)]).toEqual([true, null]);
    },
  );
});

/** Behind the broker, which refuses some names that it accepted in the past. */
async function asEarlierVersions(name: string, value: unknown): Promise<void> {
  const context = contextOf('p');
  await variables.calls['vars.set']({ name, value }, context, context.signal);
}

describe('an increment', () => {
  test('counts from 0, by any number, and returns the sum', async () => {
    expect(await call('vars.increment', { name: 'n' })).toBe(1);
    expect(await call('vars.increment', { name: 'n', by: -2.5 })).toBe(-1.5);
    expect(await get('n')).toBe(-1.5);
  });

  test.each([['text'], [true], [[1]], [{}]])('of %j is refused and changes nothing', async (value) => {
    await set('n', value);
    expect(await refusal(call('vars.increment', { name: 'n' }))).toBe('variable_not_number');
    expect(await get('n')).toEqual(value);
  });

  test.each([
    [Number.MAX_SAFE_INTEGER, 1],
    [-Number.MAX_SAFE_INTEGER, -1],
    [1e308, 1e308],
    [0, Number.MAX_VALUE],
  ])('of %d by %d, beyond the exact integers, is refused', async (value, by) => {
    await set('n', value);
    expect(await refusal(call('vars.increment', { name: 'n', by }))).toBe('variable_not_number');
    expect(await get('n')).toBe(value);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('by %d is refused', async (by) => {
    expect(await refusal(call('vars.increment', { name: 'n', by }))).toBe('call_invalid');
  });

  test('of 50 concurrent callers gives the exact sum', async () => {
    const caller = async (): Promise<void> => {
      for (let i = 0; i < 100; i++) await call('vars.increment', { name: 'n', by: 2 });
    };
    await Promise.all(Array.from({ length: 50 }, caller));
    expect(await get('n')).toBe(10_000);
  });
});

describe('compare and set', () => {
  test('sets only a variable that holds the expected value', async () => {
    const swap = (expected: unknown, value: unknown) => call('vars.compareAndSet', { name: 'x', expected, value });
    expect([await swap(1, 2), await get('x')]).toEqual([false, null]);
    expect([await swap(null, 2), await get('x')]).toEqual([true, 2]);
    expect([await swap(null, 3), await swap(2, 3), await get('x')]).toEqual([false, true, 3]);
  });

  test.each([
    [{ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: 1, b: null }, { a: 1 }, false],
    [{ a: undefined }, {}, true],
    [[1, 2], [2, 1], false],
    [[1], { 0: 1 }, false],
    [[], {}, false],
    ['1', 1, false],
    [0, -0, true],
    [0, false, false],
    [null, {}, false],
    [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}'), true],
    [JSON.parse('{"__proto__": {}}'), {}, false],
    [{}, { toString: 1 }, false],
    [{ x: 1 }, { toString: 1 }, false],
  ])('of %j against %j is %s', async (held, expected, same) => {
    await set('x', held);
    expect(await call('vars.compareAndSet', { name: 'x', expected, value: 'new' })).toBe(same);
  });

  test('succeeds for one of many callers', async () => {
    const wins = await Promise.all(
      Array.from({ length: 50 }, (_, value) => call('vars.compareAndSet', { name: 'lock', expected: null, value })),
    );
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect(await get('lock')).toBe(wins.indexOf(true));
  });
});

describe('a list', () => {
  test('is ordered by name, filtered by prefix and includes the time of each', async () => {
    for (const name of ['b', 'a/2', 'a/1', 'ab', 'A']) await set(name, name);
    const names = async (prefix: string) => (await call('vars.list', { prefix })).map(({ name }) => name);
    expect(await names('')).toEqual(['A', 'a/1', 'a/2', 'ab', 'b']);
    expect(await names('a/')).toEqual(['a/1', 'a/2']);
    expect(await names('%')).toEqual([]);
    const [entry] = await call('vars.list', { prefix: 'a/1' });
    expect(entry).toEqual({ name: 'a/1', value: 'a/1', updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(Math.abs(Date.parse(entry?.updatedAt ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test('that is too long is refused, a narrower one is not', async () => {
    const value = 'x'.repeat(VALUE_BYTES_MAX - 2);
    for (let i = 0; i <= LISTED_BYTES_MAX / VALUE_BYTES_MAX; i++) await set(`big/${i}`, value);
    expect(await refusal(call('vars.list', {}))).toBe('variable_too_large');
    expect(await call('vars.list', { prefix: 'big/1' })).toHaveLength(1 + 7);
  });
});

describe('the limits', () => {
  test('of one value apply to its JSON in UTF-8', async () => {
    await set('x', 'x'.repeat(VALUE_BYTES_MAX - 2));
    expect(await refusal(set('x', 'x'.repeat(VALUE_BYTES_MAX - 1)))).toBe('variable_too_large');
    expect(await refusal(set('x', 'é'.repeat(VALUE_BYTES_MAX / 2)))).toBe('variable_too_large');
    expect(await get('x')).toHaveLength(VALUE_BYTES_MAX - 2);
  });

  test('of a project apply across a restart, and a removal makes room again', async () => {
    for (let i = 0; i < VARIABLES_MAX; i++) await set(`v/${i}`, i);
    await reopen();
    expect(await refusal(set('one-more', 1))).toBe('variables_full');
    expect(await refusal(call('vars.increment', { name: 'one-more' }))).toBe('variables_full');
    expect(await refusal(call('vars.compareAndSet', { name: 'more', expected: null, value: 1 }))).toBe(
      'variables_full',
    );
    await set('v/0', 'changed');
    expect(await call('vars.remove', { name: 'v/0' })).toBe(true);
    await set('one-more', 1);
    expect(await refusal(set('and-another', 1))).toBe('variables_full');
  });

  test('of all bytes of a project apply, and a smaller value still fits', async () => {
    const value = 'x'.repeat(VALUE_BYTES_MAX - 16);
    const fit = Math.floor(TOTAL_BYTES_MAX / VALUE_BYTES_MAX);
    for (let i = 0; i < fit; i++) await set(`v/${i}`, value);
    expect(await refusal(set('more', value))).toBe('variables_full');
    await set('v/0', 'small');
    await set('more', value);
    expect(await refusal(set('v/0', value))).toBe('variables_full');
    await set('v/1', `${value.slice(1)}y`);
  });

  test('of open files close the least recently used one, which opens again when it is used', async () => {
    for (let i = 0; i <= FILES_OPEN_MAX; i++) await set('x', i, `p-${i}`);
    const journals = Array.from({ length: FILES_OPEN_MAX + 1 }, (_, i) => existsSync(`${file(`p-${i}`)}-wal`));
    expect(journals.filter(Boolean)).toHaveLength(FILES_OPEN_MAX);
    expect(journals[0]).toBe(false);
    expect(await get('x', 'p-0')).toBe(0);
  });
});

describe('the file', () => {
  test.skipIf(process.platform === 'win32')('is accessible only to its owner', async () => {
    await set('x', 1);
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file() + suffix).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file())).mode & 0o777).toBe(0o700);
  });

  test('is removed with its project, and a new project of the same name starts empty', async () => {
    await set('x', 1);
    await variables.configure?.('p', NO_RESOURCES('p'));
    expect(await get('x')).toBe(1);
    await variables.configure?.('p', null);
    for (const suffix of ['', '-wal', '-shm']) expect(existsSync(file() + suffix)).toBe(false);
    expect(await get('x')).toBeNull();
  });

  test('that cannot be read fails its calls, gives the reason only in the log, and is left unchanged', async () => {
    await mkdir(dirname(file()), { recursive: true });
    writeFileSync(file(), 'this is no database, and long enough to be taken for a broken one'.repeat(100));
    const before = readFileSync(file());
    const error = await get('x').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'variables_unavailable' });
    expect((error as Error).message).not.toContain(dir.path);
    expect(lines.join('')).toContain('not a database');
    expect(readFileSync(file())).toEqual(before);
    expect(await get('x', 'other')).toBeNull();
  });

  test('of a newer release is refused', async () => {
    await set('x', 1);
    await variables.close();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(file());
    database.exec('PRAGMA user_version = 2');
    database.close();
    open();
    expect(await refusal(get('x'))).toBe('variables_unavailable');
    expect(lines.join('')).toContain('newer release');
  });

  test('is not opened for an invalid project ID, nor after the end', async () => {
    expect(await refusal(get('x', '../p'))).toBe('variables_unavailable');
    await variables.close();
    expect(await refusal(get('x'))).toBe('variables_unavailable');
    expect(existsSync(join(dir.path, 'p'))).toBe(false);
  });
});

/** 50 callers that add 1 in an endless loop and report each returned sum. */
const CRASHING = `
  const { createVariables } = await import(process.argv[1]);
  const { writeSync } = await import('node:fs');
  const { calls } = createVariables({ dataDir: process.argv[2], log: console, disk: { expectRoom() {}, grew() {} } });
  const one = async () => {
    for (;;) {
      const sum = await calls['vars.increment']({ name: 'n', by: 1 }, { project: 'p' });
      writeSync(1, sum + '\\n');
      await new Promise(setImmediate);
    }
  };
  for (let i = 0; i < 50; i++) void one();
`;

test('after kill -9 no acknowledged increment is missing, and none was counted twice', async () => {
  const module = pathToFileURL(join(import.meta.dirname, 'variables.ts')).href;
  let sum = 0;
  for (let round = 0; round < 4; round++) {
    const told = await killedChild(CRASHING, [module, dir.path], (text) => text.split('\n').length > 500 * (round + 1));
    const sums = told.trimEnd().split('\n').map(Number);
    const before = sum;
    expect(sums.slice(0, -1)).toEqual(sums.slice(0, -1).map((_, index) => before + index + 1));
    open();
    sum = Number(await get('n'));
    await variables.close();
    expect(sum).toBeGreaterThanOrEqual(before + sums.length - 1);
    // Each caller may have been between its change and its report.
    expect(sum).toBeLessThanOrEqual(before + sums.length + 50);
  }
});
