import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Script } from '#sdk';
import { call, type Fixture, makeFixture } from './sandbox-fixture.ts';

/**
 * Scripts that try to break out, to run forever, or to exhaust resources. None may access the host or exceed its
 * deadline, and after each of them an ordinary script must still get its correct result.
 */
const SECRET = 'canary-3f9a1c';
/** Short where the deadline is reached; long where it must not be, however busy the machine is. */
const DEADLINE_SECONDS = { passes: 0.2, isNotMet: 10 };

let fixture: Fixture;
let ordinary: Script;
beforeAll(async () => {
  process.env['SLUICE_TEST_CANARY'] = SECRET;
  fixture = await makeFixture();
  ordinary = await fixture.compile('export default (msg) => msg.payload + 1', 60);
});
afterAll(async () => {
  delete process.env['SLUICE_TEST_CANARY'];
  await fixture.sandbox.close();
});

const HOST_NAMES =
  '["process","require","module","Buffer","fetch","setTimeout","setInterval","setImmediate","queueMicrotask","performance","WebAssembly","navigator","Worker","XMLHttpRequest","WebSocket","structuredClone","console","print","std","os","Deno","Bun","global","window","self","crypto","Atomics","importScripts","__dirname","__filename","gc","scriptArgs","parentPort","workerData"]';

type Expected = { readonly value: unknown } | { readonly code: string | RegExp };

const nothing: Expected = { value: [] };
const ended: Expected = { code: /^script_(deadline|memory|failed)$/ };
const deadline: Expected = { code: 'script_deadline' };
const failed: Expected = { code: 'script_failed' };

/** Title, body of the default export, expected result. */
const SCRIPTS: readonly (readonly [string, string, Expected])[] = [
  // To the host
  ['looks for host globals', `return ${HOST_NAMES}.filter((n) => n in globalThis)`, nothing],
  ['looks for them through Function', `return Function('return ${HOST_NAMES}.filter((n) => n in this)')()`, nothing],
  ['looks for them through eval', `return (0, eval)('${HOST_NAMES}.filter((n) => n in this)')`, nothing],
  [
    'climbs from the message to a constructor',
    `return ${HOST_NAMES}.filter((n) => n in msg.constructor.constructor('return this')())`,
    nothing,
  ],
  [
    'climbs from every kind of function',
    `const kinds = [() => 1, async () => 1, function* () {}, async function* () {}];
     return kinds.flatMap((f) => { const g = f.constructor('return globalThis'); try { const r = g(); return r === globalThis || r instanceof Promise || r.next ? [] : ['other world']; } catch { return []; } })`,
    nothing,
  ],
  [
    'climbs from an error',
    `try { null.x } catch (e) { return e.constructor.constructor('return typeof process')() }`,
    { value: 'undefined' },
  ],
  ['reads the environment', `try { return process.env } catch (e) { return e.name }`, { value: 'ReferenceError' }],
  [
    'reads it through a prelude function',
    `return Math.random.constructor('return typeof process')()`,
    { value: 'undefined' },
  ],
  ['walks up the callers', `return (function f() { return f.caller })()`, { code: /^script_/ }],
  [
    'asks for the stack',
    `const e = new Error(); return /node:|worker|\\.ts|\\.mjs|file:/.test(e.stack)`,
    { value: false },
  ],
  [
    'prepares stack traces',
    `Error.prepareStackTrace = (e, s) => s; return typeof new Error().stack`,
    { value: 'string' },
  ],
  ['imports fs', `return (await import('fs')).readFileSync('/etc/passwd', 'utf8')`, failed],
  ['imports node:child_process', `return import('node:child_process')`, failed],
  ['imports a file', `return import('/etc/passwd')`, failed],
  ['imports data', `return import('data:text/javascript,export default 1')`, failed],
  ['imports std and os of QuickJS', `return Promise.all([import('std'), import('os')])`, failed],
  ['imports in Function', `return Function('return import("fs")')()`, failed],
  ['requires', `return require('fs')`, failed],
  ['uses import.meta', `return Object.keys(import.meta)`, nothing],
  ['calls the host table with rubbish', `return [typeof host, typeof entropy]`, { value: ['undefined', 'undefined'] }],
  ['looks at the time finely', `return [Date.now(), +new Date()].every(Number.isInteger)`, { value: true }],
  [
    'looks for memory that moves, is shared or reveals collections',
    `return ['SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry'].filter((n) => n in globalThis).concat(['resize', 'resizable', 'maxByteLength', 'transfer', 'transferToFixedLength'].filter((n) => n in ArrayBuffer.prototype))`,
    nothing,
  ],
  [
    'makes a buffer that can be resized',
    `const wanted = { maxByteLength: 64 };
    class Own extends ArrayBuffer {}
    const makers = [ArrayBuffer, Own, ArrayBuffer.prototype.constructor, new Uint8Array(1).buffer.constructor, ArrayBuffer[Symbol.species], new ArrayBuffer(4).slice(1).constructor];
    return makers.map((make) => new make(8, wanted)).concat(Reflect.construct(ArrayBuffer, [8, wanted], Uint8Array))
      .map((made) => made.maxByteLength === undefined && made.resize === undefined).filter((plain) => !plain)`,
    nothing,
  ],
  // Into the host, by results
  ['returns __proto__', `return JSON.parse('{"__proto__":{"polluted":1}}')`, failed],
  ['returns a constructor with a prototype', `return { constructor: { prototype: { polluted: 1 } } }`, failed],
  ['returns forged bytes', `return ['\\u00010', '\\u0001999']`, { value: ['\u00010', '\u0001999'] }],
  ['returns a forged marker by toJSON', `return { toJSON: () => 'b9:[]' }`, { value: 'b9:[]' }],
  ['overrides JSON', `JSON.stringify = () => 'b9999:"\\u00017"'; JSON.parse = null; return [1]`, { value: [1] }],
  [
    'overrides what the prelude may use',
    `String.prototype.slice = String.prototype.startsWith = () => { throw 1 }; Reflect.apply = null; return 1`,
    { value: 1 },
  ],
  ['poisons Object.prototype', `Object.prototype.toJSON = () => 7; return {}`, { value: 7 }],
  ['throws from toJSON', `return { toJSON() { throw new Error('no') } }`, failed],
  ['returns a proxy that throws', `return new Proxy({}, { ownKeys() { throw new Error('no') } })`, failed],
  ['throws a proxy', `throw new Proxy({}, { get() { throw 1 } })`, failed],
  ['returns a thenable that throws', `return { then() { throw new Error('no') } }`, failed],
  ['returns a thenable that never ends', `return { then() {} }`, { code: 'script_stalled' }],
  [
    'gives away the buffer of its bytes',
    `const b = new Uint8Array(8); b.buffer.transfer?.(); return { b }`,
    { value: { b: new Uint8Array(8) } },
  ],
  // Running forever
  ['loops', `for (;;);`, deadline],
  ['loops and catches', `for (;;) { try { for (;;); } catch {} }`, deadline],
  ['loops in finally', `try { for (;;); } finally { for (;;); }`, deadline],
  ['loops in promises', `const again = () => Promise.resolve().then(again); await again()`, deadline],
  ['awaits forever', `for (;;) { try { await 0 } catch {} }`, deadline],
  ['awaits what throws', `const g = async () => { throw 1 }; for (;;) { try { await g() } catch {} }`, deadline],
  ['generates forever', `async function* all() { for (;;) yield 1 } for await (const _ of all());`, deadline],
  [
    'starts a flood of jobs',
    `const flood = () => { Promise.resolve().then(flood); Promise.resolve().then(flood) }; flood(); await new Promise(() => {})`,
    ended,
  ],
  ['loops in a getter of its result', `return { get a() { for (;;); } }`, deadline],
  ['loops in toJSON', `return { toJSON() { for (;;); } }`, deadline],
  ['loops in the message of its error', `throw { get message() { for (;;); } }`, deadline],
  ['loops in a proxy', `return new Proxy({}, { ownKeys() { for (;;); } })`, deadline],
  ['sorts forever', `[3, 2, 1].sort(() => { for (;;); })`, deadline],
  ['backtracks forever', `return /^(a+)+$/.test('a'.repeat(60) + 'b')`, deadline],
  ['searches an endless empty array', `return new Array(4294967295).indexOf(7)`, ended],
  ['joins an endless empty array', `return new Array(4294967295).join('x').length`, ended],
  ['raises a huge BigInt', `return String((7n ** 9999999n) ** 99n).length`, ended],
  // Exhausting resources
  ['fills memory with arrays', `const a = []; for (;;) a.push(new Array(1000).fill(1))`, ended],
  ['fills memory with texts', `let s = 'x'; for (;;) s += s + 'y'`, ended],
  ['fills memory with typed arrays', `const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))`, ended],
  [
    'fills memory and catches',
    `const a = []; for (;;) { try { a.push(new Uint8Array(1e6).fill(1)) } catch {} }`,
    ended,
  ],
  [
    'fills memory in promises',
    `const a = []; const f = () => { a.push(new Array(1000).fill(1)); return Promise.resolve().then(f) }; await f()`,
    ended,
  ],
  ['asks for more than there is', `return new ArrayBuffer(2 ** 31).byteLength`, ended],
  ['repeats beyond measure', `return 'x'.repeat(2 ** 30 - 1).length`, ended],
  ['pads beyond measure', `return 'x'.padEnd(2 ** 29).length`, ended],
  ['recurses', `const f = () => f() + 1; return f()`, failed],
  ['recurses and catches', `const f = () => { try { f() } catch { f() } }; f()`, ended],
  ['nests brackets', `return eval('('.repeat(1e5))`, failed],
  ['nests a regular expression', `return new RegExp('('.repeat(1e5) + ')'.repeat(1e5))`, failed],
  ['nests JSON', `return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))`, failed],
  ['nests its result', `let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a`, ended],
  ['nests proxies', `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x`, ended],
  ['nests bound functions', `let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); return f()`, ended],
  ['throws a huge error', `throw new Error('x'.repeat(1e7))`, ended],
];

test.each(SCRIPTS)('a script that %s has no effect', async (_title, body, expected) => {
  const code = `export default async (msg) => { ${body} }`;
  const willPass = expected === deadline || expected === ended;
  const seconds = willPass ? DEADLINE_SECONDS.passes : DEADLINE_SECONDS.isNotMet;
  const outcome = await fixture.once(code, { body: 1 }, seconds).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in expected) expect(outcome).toEqual({ value: expected.value });
  else expect(outcome).toMatchObject({ error: { name: 'NodeError', code: matching(expected.code) } });
  const told = 'error' in outcome ? String(outcome.error) : JSON.stringify(outcome.value);
  expect(told).not.toContain(SECRET);
  expect(told.length).toBeLessThan(1000);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(await call(ordinary, 41)).toBe(42);
});

function matching(code: string | RegExp): unknown {
  return typeof code === 'string' ? code : expect.stringMatching(code);
}
