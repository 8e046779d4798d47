import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { releaseIdleMemory } from './idle-memory.ts';

const MIB = 1024 ** 2;
const now = { busy: 0, heap: 20 * MIB };
const collected: number[] = [];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(now, { busy: 0, heap: 20 * MIB });
  collected.splice(0);
  stop = releaseIdleMemory(1_000, {
    busy: () => now.busy,
    heldBytes: () => now.heap,
    collect: () => {
      collected.push(now.heap);
      now.heap -= 5 * MIB;
    },
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('a thread that is quiet collects once, not again until it has grown', () => {
  vi.advanceTimersByTime(1_000);
  expect(collected).toHaveLength(0);
  vi.advanceTimersByTime(60_000);
  expect(collected).toHaveLength(1);
  now.heap += 3 * MIB;
  vi.advanceTimersByTime(60_000);
  expect(collected).toHaveLength(1);
  now.heap += 2 * MIB;
  vi.advanceTimersByTime(60_000);
  expect(collected).toHaveLength(2);
});

test('the first time two quiet looks are enough', () => {
  vi.advanceTimersByTime(2_000);
  expect(collected).toHaveLength(1);
});

test('from then on it waits for a long quiet, which each burst of work ends', () => {
  vi.advanceTimersByTime(2_000);
  now.heap += 100 * MIB;
  for (let burst = 0; burst < 10; burst++) {
    now.busy = 0.3;
    vi.advanceTimersByTime(1_000);
    now.busy = 0;
    vi.advanceTimersByTime(59_000);
  }
  expect(collected).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(collected).toHaveLength(2);
});

test('where it holds much, two quiet looks are enough again', () => {
  vi.advanceTimersByTime(2_000);
  now.heap += 150 * MIB;
  vi.advanceTimersByTime(2_000);
  expect(collected).toHaveLength(2);
});

test('a thread that works never does, and one that works now and then not between', () => {
  now.busy = 0.3;
  vi.advanceTimersByTime(600_000);
  for (let n = 0; n < 20; n++) {
    now.busy = n % 2 === 0 ? 0 : 0.3;
    vi.advanceTimersByTime(1_000);
  }
  expect(collected).toHaveLength(0);
});

test('what was ended looks no more', () => {
  stop();
  vi.advanceTimersByTime(60_000);
  expect(collected).toHaveLength(0);
});

test.each([
  ['objects', "Array.from({ length: 1e6 }, (_, n) => ({ n, text: 'x' + n }))", 'heapTotal'],
  ['buffers', 'Array.from({ length: 40 }, () => new ArrayBuffer(1e6))', 'external'],
])('a process gives back the %s that it held for nothing, and is not kept alive by looking', (_, rubbish, field) => {
  const file = JSON.stringify(fileURLToPath(new URL('./idle-memory.ts', import.meta.url)));
  // When the garbage of its start is collected, the thread allocates and only measures its heap, until the heap has
  // halved.
  const code = `
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    import { releaseIdleMemory } from ${file};
    releaseIdleMemory(100);
    const collections = new PerformanceObserver((list) => {
      if (!list.getEntries().some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) return;
      collections.disconnect();
      clearInterval(alive);
      let rubbish = ${rubbish};
      const before = process.memoryUsage().${field};
      rubbish = null;
      const timer = setInterval(() => {
        if (process.memoryUsage().${field} > before / 2) return;
        clearInterval(timer);
        console.log('given back');
      }, 50);
    });
    collections.observe({ entryTypes: ['gc'] });
    const alive = setInterval(() => undefined, 1000);`;
  const flags = ['--expose-gc', '--input-type=module', '-e', code];
  const ended = spawnSync(process.execPath, flags, { encoding: 'utf8', timeout: 55_000 });
  expect(ended).toMatchObject({ stdout: 'given back\n', status: 0 });
});
