import { expect, test } from 'vitest';
import { createEngine, type Engine } from './engine.ts';
import { loadEngineWasm, withMemoryMax } from './engine-wasm.ts';
import { bufferBytes, copyIn, copyOut, takeImage, usedTop } from './memory-image.ts';
import { ENTRY } from './prelude-entries.ts';
import { prelude } from './prelude.ts';

async function engine(): Promise<Engine> {
  return createEngine(await loadEngineWasm(), () => false);
}

test('the contents of one instance continue in another, whose own parts have the same addresses', async () => {
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
  copyIn(other.memory, { buffer, from, top, bytes: one.memory.buffer.byteLength });
  expect(other.readText(other.call(read, other.nothing))).toBe('keptkeptkept');
});

test('putting an image back writes every byte of the memory', async () => {
  const { memory, stackEnd } = await engine();
  const restore = takeImage(memory, stackEnd);
  const before = Buffer.from(memory.buffer).toString('latin1', stackEnd);
  new Uint8Array(memory.buffer).fill(0xaa);
  restore();
  const after = Buffer.from(memory.buffer);
  expect(after.toString('latin1', stackEnd)).toBe(before);
  expect(after.indexOf(0xaa) >= 0 && after.indexOf(0xaa) < stackEnd).toBe(false);
});

test('a module whose memory is not as expected is refused', () => {
  const module = (...sections: number[]): Uint8Array => Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections]);
  expect([...withMemoryMax(module(5, 3, 1, 0, 18), 1024)].slice(8)).toEqual([5, 5, 1, 1, 18, 0x80, 8]);
  for (const odd of [module(), module(5, 4, 1, 1, 18, 20), module(5, 5, 2, 0, 18, 0, 18)])
    expect(() => withMemoryMax(odd, 1024)).toThrow('expected a WebAssembly module with one memory');
});
