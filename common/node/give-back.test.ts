import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveMemoryBack } from './give-back.ts';

const MIB = 1024 ** 2;
const now = { busy: 0, heap: 20 * MIB };
const collected: number[] = [];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(now, { busy: 0, heap: 20 * MIB });
  collected.splice(0);
  stop = giveMemoryBack(1_000, {
    busy: () => now.busy,
    heapBytes: () => now.heap,
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

test('a process gives back what it held for nothing, and is not kept alive by looking', () => {
  const file = JSON.stringify(fileURLToPath(new URL('./give-back.ts', import.meta.url)));
  // It makes rubbish, then only looks how large its heap is until it is half of what it was.
  const code = `
    import { giveMemoryBack } from ${file};
    giveMemoryBack(100);
    let rubbish = Array.from({ length: 1e6 }, (_, n) => ({ n, text: 'x' + n }));
    const before = process.memoryUsage().heapTotal;
    rubbish = null;
    const timer = setInterval(() => {
      if (process.memoryUsage().heapTotal > before / 2) return;
      clearInterval(timer);
      console.log('given back');
    }, 100);`;
  const flags = ['--expose-gc', '--input-type=module', '-e', code];
  const ended = spawnSync(process.execPath, flags, { encoding: 'utf8', timeout: 50_000 });
  expect(ended).toMatchObject({ stdout: 'given back\n', status: 0 });
});
