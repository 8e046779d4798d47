import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { GATEWAY_FLAGS } from '#common/node/gateway-flags.ts';
import { SpentMemory } from './spent-memory.ts';

const MIB = 1024 * 1024;

/**
 * A heap with this many MiB, of which each type of collection frees a given amount; it records the requested
 * collections.
 */
function heapThat(held: number, frees: { minor: number; major: number }) {
  const asked: string[] = [];
  const spent = new SpentMemory({
    externalBytes: () => held * MIB,
    collect(type) {
      asked.push(type);
      held -= frees[type];
    },
  });
  return { spent, asked, grow: (mib: number) => (held += mib) };
}

test('small amounts are left to V8', () => {
  const { spent, asked } = heapThat(20, { minor: 20, major: 20 });
  spent.collect();
  expect(asked).toEqual([]);
});

test('new objects are collected first, and all objects only when that was not enough', () => {
  const young = heapThat(80, { minor: 64, major: 64 });
  young.spent.collect();
  expect(young.asked).toEqual(['minor']);
  const old = heapThat(80, { minor: 0, major: 64 });
  old.spent.collect();
  expect(old.asked).toEqual(['minor', 'major']);
});

test('memory in use is not collected repeatedly', () => {
  const { spent, asked, grow } = heapThat(200, { minor: 0, major: 10 });
  for (let n = 0; n < 3; n++) spent.collect();
  expect(asked).toEqual(['minor', 'major']);
  grow(64);
  spent.collect();
  expect(asked).toEqual(['minor', 'major', 'minor', 'major']);
});

test.runIf(process.platform === 'linux')(
  'memories that grow to their limit one after the other use the space of one',
  () => {
    const file = JSON.stringify(fileURLToPath(new URL('./spent-memory.ts', import.meta.url)));
    // Some are first referenced by old objects, like a run that took longer.
    const code = `
    import { SpentMemory } from ${file};
    const spent = new SpentMemory();
    const before = process.memoryUsage.rss();
    let most = 0;
    for (let n = 0; n < 20; n++) {
      let memory = new WebAssembly.Memory({ initial: 256, maximum: 1024 });
      memory.grow(768);
      new Uint8Array(memory.buffer).fill(1);
      if (n % 3 === 2) for (let i = 0; i < 300_000; i++) globalThis.last = { i: [i] };
      memory = null;
      spent.collect();
      most = Math.max(most, process.memoryUsage.rss() - before);
    }
    console.log(Math.round(most / ${MIB}));`;
    const ended = spawnSync(process.execPath, [...GATEWAY_FLAGS, '--input-type=module', '-e', code], {
      encoding: 'utf8',
      timeout: 50_000,
    });
    expect(ended.status, ended.stderr).toBe(0);
    // One that a register may still reference, and the overhead of the machine.
    expect(Number(ended.stdout)).toBeLessThan(1.5 * 64);
  },
);
