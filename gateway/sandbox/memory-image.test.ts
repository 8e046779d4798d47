import { expect, test } from 'vitest';
import { createEngine, type Engine, GuestThrow } from './engine.ts';
import { instantiateEngine, loadEngineWasm, withMemoryMax } from './engine-wasm.ts';
import { bufferBytes, clearAbove, copyIn, copyOut, takeImage, usedTop } from './memory-image.ts';
import { ENTRY } from './prelude-entries.ts';
import { prelude } from './prelude.ts';

async function engine(): Promise<Engine> {
  return createEngine(await loadEngineWasm(), () => false);
}

test('the contents of one instance work in another because both have the same addresses', async () => {
  const [one, other] = [await engine(), await engine()];
  const entries = [one, other].map((made) => {
    const list = made.call(made.evaluate(prelude(null), 'expression', 'prelude'), made.object({ entropy: () => 1 }));
    return Object.values(ENTRY).map((index) => made.item(list, index));
  });
  expect(one.roots).toEqual(other.roots);
  expect(entries[0]).toEqual(entries[1]);
  const from = one.stackEnd;
  const read = one.evaluate('globalThis.kept = { text: "kept".repeat(3) }; () => kept.text', 'expression', 'x');
  one.newBuffer(new Uint8Array(3_000_000).fill(1));
  const top = usedTop(one.memory);
  const buffer = new ArrayBuffer(bufferBytes(from, top));
  copyOut(one.memory, from, top, buffer);
  copyIn(other.memory, other.written, { buffer, from, top, bytes: one.memory.buffer.byteLength });
  expect(other.readText(other.call(read, other.nothing))).toBe('keptkeptkept');
});

const SCRIPTS = [
  'globalThis.left = Array.from({ length: 300 }, (_, i) => ({ i, text: "kept".repeat(i) })); 1',
  'new Uint8Array(60_000).fill(0xaa).copyWithin(7, 1, 20_000).sort().join()',
  'new Float64Array(2_000).fill(0.1).map((n, i) => n * i).toReversed()[3] + new BigInt64Array(99).fill(7n)[3].toString()',
  'JSON.stringify(JSON.parse(JSON.stringify({ a: [1.5, "b".repeat(9_000), null, { c: /x(y)+/.exec("axyy") }] })))',
  '(() => { const f = (n) => f(n + 1) + 1; f(1); })()',
  'throw new TypeError("x".repeat(5_000))',
  'Array.prototype.push = 1; Object.prototype.z = new Map([[1, new Set("abc")]]); new Date(0).toISOString() + Math.random()',
  'Promise.resolve(1).then(() => { globalThis.later = new Array(500).fill("later"); }); "a".localeCompare("b")',
];

test('restoring an image removes every byte that a run wrote, in any way', async () => {
  const made = await engine();
  const { memory, written, stackEnd } = made;
  made.reserve(512 * 1024);
  clearAbove(memory, usedTop(memory));
  const restore = takeImage(memory, written, stackEnd);
  restore();
  const before = Buffer.from(memory.buffer).toString('latin1');
  for (const script of SCRIPTS) {
    try {
      made.evaluate(script, 'expression', 'x');
      made.runJobs(10);
    } catch (error) {
      if (!(error instanceof GuestThrow)) throw error;
    }
    expect(Buffer.from(memory.buffer).toString('latin1') === before).toBe(false);
    restore();
    made.resetStack();
    expect(Buffer.from(memory.buffer).toString('latin1') === before).toBe(true);
  }
});

test('or that code of the engine wrote, anywhere in its memory', async () => {
  const { exports, written } = await instantiateEngine(await loadEngineWasm(), {
    shouldStop: () => false,
    call: () => 0,
  });
  const { memory } = exports;
  const restore = takeImage(memory, written, exports.__stack_pointer.value);
  restore();
  const before = Buffer.from(memory.buffer).toString('latin1');
  const bytes = memory.buffer.byteLength;
  const { memset, memmove } = exports as unknown as Record<
    'memset' | 'memmove',
    (to: number, what: number, bytes: number) => number
  >;
  for (let at = 0; at + 20 < bytes; at += 997) memset(at, 0xaa, at % 19);
  restore();
  expect(Buffer.from(memory.buffer).toString('latin1') === before).toBe(true);
  memset(0, 0xaa, bytes);
  restore();
  expect(Buffer.from(memory.buffer).toString('latin1') === before).toBe(true);
  memmove(3, 1_100_000, 70_000);
  restore();
  expect(Buffer.from(memory.buffer).toString('latin1') === before).toBe(true);
  written.add(bytes - 3, 3);
  new Uint8Array(memory.buffer).fill(0xaa, bytes - 3);
  restore();
  expect(Buffer.from(memory.buffer).toString('latin1') === before).toBe(true);
});

test('or that one store wrote across a page boundary', async () => {
  const { exports, written } = await instantiateEngine(await loadEngineWasm(), {
    shouldStop: () => false,
    call: () => 0,
  });
  const { memory } = exports;
  exports.qjs_init2(0b1_1111_1111);
  const value = exports.qjs_new_number(1);
  const restore = takeImage(memory, written, exports.__stack_pointer.value);
  restore();
  const before = Buffer.from(memory.buffer).toString('latin1');
  const page = 8 * 4096;
  new Uint8Array(memory.buffer, page, 2).fill(0xaa);
  exports.qjs_get_string_len(value, page - 2);
  expect([...new Uint8Array(memory.buffer, page, 2)]).toEqual([0, 0]);
  new Uint8Array(memory.buffer, page, 2).fill(0xaa);
  restore();
  expect(Buffer.from(memory.buffer).toString('latin1') === before).toBe(true);
});

test('a module with unexpected memory is refused', () => {
  const module = (...sections: number[]): Uint8Array => Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections]);
  expect([...withMemoryMax(module(5, 3, 1, 0, 18), 1024)].slice(8)).toEqual([5, 5, 1, 1, 18, 0x80, 8]);
  for (const odd of [module(), module(5, 4, 1, 1, 18, 20), module(5, 5, 2, 0, 18, 0, 18)])
    expect(() => withMemoryMax(odd, 1024)).toThrow('expected a WebAssembly module with one memory');
});
