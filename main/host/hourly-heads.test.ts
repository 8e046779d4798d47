import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChainHead } from '#common/model/audit.ts';
import { createLogger } from '#common/node/log.ts';
import { recordHeadsHourly } from './hourly-heads.ts';

/** The heads of the journal leave the data folder through the log (docs/spec/journal.md#a-restored-folder). */
const HOUR_MS = 3_600_000;
const HEADS: ChainHead[] = [
  { chain: 'gateway', seq: 12, hash: 'aa', time: '2026-11-23T06:00:00.000Z' },
  { chain: 'host', seq: 3, hash: 'bb', time: '2026-11-23T06:00:01.000Z' },
];
let lines: Record<string, unknown>[];
let recorded: number;
let fails: boolean;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  recorded = 0;
  fails = false;
  const vault = {
    generation: 7,
    recordHeads() {
      recorded += 1;
      return fails ? Promise.reject(new Error('ENOSPC')) : Promise.resolve();
    },
  };
  const log = createLogger('test', (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  end = recordHeadsHourly(vault, { heads: () => HEADS }, log);
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

const states = () => lines.filter(({ message }) => message === 'state of the data folder');

test('generation and heads are written to the log and the vault each hour, until the end', async () => {
  await vi.advanceTimersByTimeAsync(HOUR_MS - 1);
  expect([recorded, states().length]).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(states()).toMatchObject([
    { generation: 7, gateway: { batch: 12, hash: 'aa' }, host: { batch: 3, hash: 'bb' } },
  ]);
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  expect([recorded, states().length]).toEqual([3, 3]);
  end();
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  expect(recorded).toBe(3);
});

test('a vault that cannot be written does not keep the heads from the log', async () => {
  fails = true;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  expect(states()).toHaveLength(1);
});
