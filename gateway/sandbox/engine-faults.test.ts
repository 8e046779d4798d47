import { expect, test } from 'vitest';
import { READ_ALL } from './canary-fixture.ts';
import { createEngine } from './engine.ts';
import { loadEngineWasm } from './engine-wasm.ts';

/**
 * Published bugs through which a script could access memory outside its engine; tested without the guards of the
 * prelude.
 */
const WASM = await loadEngineWasm();
const EVIL = `const shrinking = (buffer, kind) => new Proxy(function () {}, {
  get(to, key) { if (key !== 'prototype') return to[key]; buffer.resize(8); return kind.prototype; },
});
const resizable = () => new ArrayBuffer(65536, { maxByteLength: 65536 });
const reached = (make) => { try { return make()[1000] !== undefined; } catch { return false; } };`;

test.each([
  [
    'a view of a buffer that shrinks meanwhile (bellard/quickjs 478)',
    `const b = resizable(); reached(() => Reflect.construct(Uint32Array, [b], shrinking(b, Uint32Array)))`,
  ],
  [
    'a view at an offset in it',
    `const b = resizable(); reached(() => Reflect.construct(Uint8Array, [b, 8, 60000], shrinking(b, Uint8Array)))`,
  ],
  [
    'a copy of a view of it (quickjs-ng 1305)',
    `const b = resizable(); const v = new Uint8Array(b).fill(1); reached(() => Reflect.construct(Uint8Array, [v], shrinking(b, Uint8Array)).subarray(8).map((n) => n || 0).fill(undefined) && [])`,
  ],
  [
    'a data view of it',
    `const b = resizable(); reached(() => { const d = Reflect.construct(DataView, [b, 0, 60000], shrinking(b, DataView)); return { 1000: d.getUint8(50000) }; })`,
  ],
  [
    'a position that shrinks it',
    `const b = resizable(); const v = new Uint8Array(b).fill(1); reached(() => ({ 1000: v.at({ valueOf() { b.resize(8); return 5000; } }) }))`,
  ],
  ['all of the memory', `${READ_ALL}; readAll() !== null`],
])('the engine does not expose %s', async (_what, code) => {
  const engine = await createEngine(WASM, () => false);
  const told = engine.evaluate(`(() => { ${EVIL} return String(eval(${JSON.stringify(code)})) })()`, 'expression', 'x');
  expect(engine.readText(told)).toBe('false');
});
