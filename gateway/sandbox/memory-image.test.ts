import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createEngine, type Engine } from './engine.ts';
import { bufferBytes, copyIn, copyOut, findGap, heapTop, watchBreak } from './memory-image.ts';
import { ENTRY } from './prelude-entries.ts';
import { prelude } from './prelude.ts';

async function engine(): Promise<Engine> {
  const file = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
  return createEngine(await WebAssembly.compile(await readFile(file)), () => false);
}

test('the end of the heap is known without looking through the memory, and follows its growth', async () => {
  const made = await engine();
  const { memory } = made;
  const gap = findGap(memory);
  const findBreak = watchBreak(memory, gap);
  made.evaluate(prelude(null), 'expression', 'prelude');
  const word = findBreak();
  expect(word).not.toBeNull();
  const before = heapTop(memory, gap, word);
  made.newBuffer(new Uint8Array(3_000_000).fill(1));
  const after = heapTop(memory, gap, word);
  const seen = heapTop(memory, gap, null);
  expect(after - before).toBeGreaterThanOrEqual(2_900_000);
  expect(after).toBeGreaterThan(seen - 4096);
  expect(after - seen).toBeLessThan(128 * 1024);
});

test('what one instance holds goes on in another, whose own parts lie at the same places', async () => {
  const [one, other] = [await engine(), await engine()];
  const entries = [one, other].map((made) => {
    const list = made.call(made.evaluate(prelude(null), 'expression', 'prelude'), made.object({ entropy: () => 1 }));
    return Object.values(ENTRY).map((index) => made.item(list, index));
  });
  expect(one.roots).toEqual(other.roots);
  expect(entries[0]).toEqual(entries[1]);
  const gap = findGap((await engine()).memory);
  const read = one.evaluate('globalThis.kept = { text: "kept".repeat(3) }; () => kept.text', 'expression', 'x');
  const top = heapTop(one.memory, gap, null);
  const buffer = new SharedArrayBuffer(bufferBytes(gap, top));
  copyOut(one.memory, gap, top, buffer);
  copyIn(other.memory, gap, top, buffer);
  expect(other.readText(other.call(read, other.nothing))).toBe('keptkeptkept');
});
