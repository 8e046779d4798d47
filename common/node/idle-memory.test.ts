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

test('an idle thread collects once, and not again until its memory has grown', () => {
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

test('the first time, two idle checks are enough', () => {
  vi.advanceTimersByTime(2_000);
  expect(collected).toHaveLength(1);
});

test('after that it waits for a long idle time, which restarts with each burst of work', () => {
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

test('with a lot of memory in use, two idle checks are enough again', () => {
  vi.advanceTimersByTime(2_000);
  now.heap += 150 * MIB;
  vi.advanceTimersByTime(2_000);
  expect(collected).toHaveLength(2);
});

test('a busy thread never collects, and one that works now and then does not do so in between', () => {
  now.busy = 0.3;
  vi.advanceTimersByTime(600_000);
  for (let n = 0; n < 20; n++) {
    now.busy = n % 2 === 0 ? 0 : 0.3;
    vi.advanceTimersByTime(1_000);
  }
  expect(collected).toHaveLength(0);
});

test('checking stops once it is ended', () => {
  stop();
  vi.advanceTimersByTime(60_000);
  expect(collected).toHaveLength(0);
});

test.each([
  ['objects', "Array.from({ length: 1e6 }, (_, n) => ({ n, text: 'x' + n }))", 'total_heap_size'],
  ['buffers', 'Array.from({ length: 40 }, () => new ArrayBuffer(1e6))', 'external_memory'],
])('a process frees the %s that it no longer needs, and the checks do not keep it running', (_, rubbish, field) => {
  const file = JSON.stringify(fileURLToPath(new URL('./idle-memory.ts', import.meta.url)));
  // When the garbage of its start is collected, the thread allocates and only measures its heap, until the heap has
  // halved. `process.memoryUsage` also asks the system, which takes so long that the thread counts as busy.
  const code = `
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    import { getHeapStatistics } from 'node:v8';
    import { releaseIdleMemory } from ${file};
    releaseIdleMemory(100);
    const collections = new PerformanceObserver((list) => {
      if (!list.getEntries().some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) return;
      collections.disconnect();
      clearInterval(alive);
      let rubbish = ${rubbish};
      const before = getHeapStatistics().${field};
      rubbish = null;
      const timer = setInterval(() => {
        if (getHeapStatistics().${field} > before / 2) return;
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
