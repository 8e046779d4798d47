import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message } from '#sdk';
import { call, type Fixture, makeFixture, makeRun } from './sandbox-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await makeFixture();
});
afterAll(() => fixture.sandbox.close());

const refusal = (code: string, text: string | RegExp) => ({
  name: 'NodeError',
  code,
  message: typeof text === 'string' ? text : expect.stringMatching(text),
});

describe('compiling', () => {
  test.each([
    ['let x = ;', /\(line 1\)$/],
    ['export default () => {\n  return 1 +* 2;\n};', /\(line 2\)$/],
    ['const a = 1;', 'expected one export, the default one; it has none'],
    ['export const a = 1; export default () => 1;', 'expected one export, the default one; it has a, default'],
    ['export default 5;', 'expected the default export to be a function; it is of type number'],
    ['import fs from "node:fs"; export default () => 1;', 'scripts cannot import anything'],
    ['export * from "other"; export default () => 1;', 'scripts cannot import anything'],
    ['\n\nnull.x; export default () => 1;', /\(line 3\)$/],
    ['export default () => 1; \0', 'expected code without a zero character'],
    [`export default () => 1; //${'x'.repeat(256 * 1024)}`, /^expected code of at most 262144 bytes/],
    ['new Array(4294967295).indexOf(7); export default () => 1;', 'it did not end within its deadline'],
    ['for (;;); export default () => 1;', 'it did not end within its deadline'],
    ['await new Promise(() => {}); export default () => 1;', 'it waits for a promise that nothing can settle'],
    ['globalThis.a = []; for (;;) a.push(new Array(1000).fill(1)); export default () => 1;', /memory/],
    ['globalThis.a = new Uint8Array(30e6); export default () => 1;', /memory/],
    ['export default () => 1; (function again() { again(); })();', /call stack size/],
  ])('refuses %j with a reason', async (code, text) => {
    const seconds = text === 'it did not end within its deadline' ? 0.1 : 60;
    await expect(fixture.compile(code, seconds)).rejects.toMatchObject(refusal('script_invalid', text));
  });

  test.each([0.05, 0, -1, Number.NaN, 3601])('refuses a deadline of %d seconds', async (deadline) => {
    await expect(fixture.compile('export default () => 1', deadline)).rejects.toMatchObject(
      refusal('script_invalid', /^expected a deadline of 0.1 to 3600 seconds/),
    );
  });

  test('awaits a module with a top-level await', async () => {
    expect(await fixture.once('const seven = await Promise.resolve(7); export default () => seven;')).toBe(7);
  });
});

describe('the input of a script', () => {
  test('is its message', async () => {
    const script = await fixture.compile('export default (msg) => [Object.keys(msg), msg]');
    const message: Message = {
      payload: { body: { orderId: 7 } },
      request: { id: 'r', method: 'POST', path: '/a', route: '/a', ip: '10.0.0.1', receivedAt: '2026-01-01T00:00:00Z' },
      caller: { keyId: 'k', name: 'MES', scopes: ['db:write'] },
      error: { node: 'n', code: 'c', message: 'm' },
    };
    expect(await script.call(message, makeRun())).toEqual([['payload', 'request', 'caller', 'error'], message]);
    script.close();
  });

  test('has bytes as Uint8Array, wherever they are in the payload', async () => {
    const code = `export default ({ payload: { body, list } }) => ({
      types: [body.constructor.name, list[1].deep.constructor.name], sum: body[0] + body[1], back: body.map((x) => x + 1) })`;
    const pool = Buffer.from('secret hi secret');
    const payload = { body: pool.subarray(7, 9), list: [0, { deep: new Uint8Array() }] };
    expect(await fixture.once(code, payload)).toEqual({
      types: ['Uint8Array', 'Uint8Array'],
      sum: 209,
      back: new Uint8Array([105, 106]),
    });
  });

  test.each([
    ['BigInt', 10n],
    ['a circular reference', circle()],
    ['deep nesting', nested(200_000)],
  ])('never contains %s: the call fails with a plain error', async (_name, payload) => {
    await expect(fixture.once('export default () => 1', payload)).rejects.toMatchObject(
      refusal('script_failed', /^the message cannot be given to a script/),
    );
  });

  test('has a limit of 16 Mi characters', async () => {
    const payload = 'x'.repeat(16 * 1024 * 1024);
    await expect(fixture.once('export default () => 1', payload)).rejects.toMatchObject({ code: 'script_memory' });
  });
});

describe('a result', () => {
  test.each<[string, string, unknown]>([
    ['undefined', 'undefined', null],
    ['null', 'null', null],
    ['a string', '"ä\\u0000\\ud83d\\ude00"', 'ä\u0000😀'],
    ['not-a-number and infinities', '[NaN, Infinity, -Infinity, -0]', [null, null, null, 0]],
    ['a date', 'new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['bytes alone', 'new Uint8Array([1, 2])', new Uint8Array([1, 2])],
    ['a part of a buffer', 'new Uint8Array([1, 2, 3, 4]).subarray(1, 3)', new Uint8Array([2, 3])],
    ['no bytes', '[new Uint8Array(0)]', [new Uint8Array(0)]],
    ['a thenable', '({ then(done) { done(5); } })', 5],
    ['text that looks like bytes', '["\\u00010", "\\u0001\\u00010", "b1:x"]', ['\u00010', '\u0001\u00010', 'b1:x']],
    [
      'text that looks like bytes, beside bytes',
      '["\\u00010", "\\u0001\\u00010", new Uint8Array([9])]',
      ['\u00010', '\u0001\u00010', new Uint8Array([9])],
    ],
    ['typed arrays inside the script, which JSON turns into objects', 'JSON.stringify(new Uint8Array([5]))', '{"0":5}'],
  ])('is %s', async (_name, expression, expected) => {
    expect(await fixture.once(`export default () => (${expression})`)).toEqual(expected);
    expect(await fixture.once(`export default async () => (${expression})`)).toEqual(expected);
  });

  test('holds a limited number of byte arrays', async () => {
    const list = (length: number) =>
      fixture.once(`export default () => Array.from({ length: ${length} }, () => new Uint8Array(1))`);
    await expect(list(40_000)).rejects.toMatchObject(
      refusal('script_failed', /^its result holds more than 16384 byte arrays$/),
    );
    expect(await list(16_384)).toHaveLength(16_384);
  });

  test('never turns a string of the caller into bytes', async () => {
    const payload = { body: new Uint8Array([1]), text: '\u00010', more: ['\u0001', '\u0001\u00015'] };
    expect(await fixture.once('export default (msg) => msg.payload', payload)).toEqual(payload);
  });

  test.each([
    ['a function', '() => 1', 'script_failed', /returned a function, which is not data/],
    ['a symbol', 'Symbol()', 'script_failed', /returned a symbol, which is not data/],
    ['BigInt', '[1n]', 'script_failed', /BigInt/],
    ['a circular reference', '(() => { const a = []; a[0] = a; return a; })()', 'script_failed', /circular/],
    ['a key __proto__', 'JSON.parse(\'{"__proto__":{"admin":true}}\')', 'script_failed', /__proto__/],
    ['too long', '"x".repeat(17 * 1024 * 1024)', 'script_failed', /larger than 16777216 characters/],
    ['too many bytes', 'new Uint8Array(17 * 1024 * 1024)', 'script_failed', /more than 16777216 bytes/],
  ])('is refused when it is %s', async (_name, expression, code, text) => {
    await expect(fixture.once(`export default () => (${expression})`, null, 10)).rejects.toMatchObject(
      refusal(code, text),
    );
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('an error', () => {
  test.each([
    ['throw new TypeError("no order")', 'no order (line 2)'],
    ['throw "plain text"', 'plain text'],
    ['throw { message: "made up", stack: "at /etc/passwd:1" }', 'made up'],
    ['throw new Error("a\\u001b[31m\\nb")', 'a [31m b (line 2)'],
    ['throw new Error("")', 'Error (line 2)'],
    ['throw Symbol("s")', 'Symbol(s)'],
    ['throw null', 'null'],
    ['return msg.payload.body.id', /^cannot read property 'body' of null \(line 2\)$/],
    ['return import("node:fs")', 'scripts cannot import anything'],
    ['throw { get message() { throw 1; } }', 'it threw something that cannot be shown'],
  ])('of %s is one line with the line of the code', async (statement, text) => {
    const code = `export default async (msg) => {\n${statement};\n}`;
    await expect(fixture.once(code)).rejects.toMatchObject(refusal('script_failed', text));
  });

  test('is cut to 500 characters', async () => {
    const code = 'export default () => { throw new Error("x".repeat(1e6)) }';
    const message = expect.stringMatching(/^x{500} \(line 1\)$/);
    await expect(fixture.once(code)).rejects.toMatchObject({ message });
  });

  test('of a promise that nothing can settle is reported at once', async () => {
    const begun = performance.now();
    await expect(fixture.once('export default () => new Promise(() => {})', null, 60)).rejects.toMatchObject({
      code: 'script_stalled',
    });
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});

describe('a run leaves nothing to the next one', () => {
  test.each([
    ['a variable of the module', 'let n = 0; export default () => ++n;'],
    ['a global', 'export default () => { globalThis.n = (globalThis.n ?? 0) + 1; return n; };'],
    ['a prototype', 'export default () => { Array.prototype.n = (Array.prototype.n ?? 0) + 1; return [].n; };'],
    ['a built-in', 'export default () => { JSON.n = (JSON.n ?? 0) + 1; return JSON.n; };'],
    ['a closure', 'const counter = (() => { let n = 0; return () => ++n; })(); export default () => counter();'],
    ['a map', 'const seen = new Map(); export default () => { seen.set(seen.size, 1); return seen.size; };'],
    ['a property of the function', 'export default function f() { f.n = (f.n ?? 0) + 1; return f.n; }'],
    ['a large empty buffer', 'const b = new Uint8Array(7e6); export default () => { b[3e6]++; return b[3e6]; };'],
    [
      'a job left behind',
      'let n = 1; export default async () => { const seen = n; Promise.resolve().then(async () => { for (let i = 0; i < 9; i++) await 0; n = 2; }); return seen; };',
    ],
  ])('by %s', async (_name, code) => {
    const script = await fixture.compile(code);
    expect([await call(script), await call(script), await call(script)]).toEqual([1, 1, 1]);
    script.close();
  });

  test('even after a failed run, a deadline or a full memory', async () => {
    const code = `let n = 0;
      export default ({ payload }) => {
        n++;
        if (payload === 'throw') throw new Error('x');
        if (payload === 'loop') for (;;);
        if (payload === 'fill') { const a = []; for (;;) a.push(new Array(1000).fill(1)); }
        return n;
      }`;
    const script = await fixture.compile(code, 60);
    const short = await fixture.compile(code, 0.1);
    await expect(call(script, 'throw')).rejects.toMatchObject({ code: 'script_failed' });
    expect(await call(script)).toBe(1);
    await expect(call(script, 'fill')).rejects.toMatchObject({ code: 'script_memory' });
    expect(await call(script)).toBe(1);
    await expect(call(short, 'loop')).rejects.toMatchObject({ code: 'script_deadline' });

    expect(await call(short)).toBe(1);
    script.close();
    short.close();
  });

  test('and random numbers do not repeat, within a run or between runs', async () => {
    const script = await fixture.compile(
      'const first = Math.random(); export default () => [Math.random(), Math.random()]',
    );
    const numbers = [await call(script), await call(script), await call(script)].flat();
    expect(new Set(numbers).size).toBe(6);
    for (const number of numbers) expect(number).toSatisfy((value: number) => value >= 0 && value < 1);
    script.close();
  });
});

function circle(): unknown {
  const list: unknown[] = [];
  list.push(list);
  return list;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
