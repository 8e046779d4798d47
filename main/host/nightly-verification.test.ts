import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { verifyNightly } from './nightly-verification.ts';

/** The journal is verified automatically at night (docs/spec/journal.md#proof). */
const MINUTE_MS = 60_000;
const report = { ok: true, chains: [], findings: [] as string[], unproven: [], uncleanStops: [] };
let runs: { at: string; user: string }[];
let isRunning: boolean;
let logged: string[];
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  [runs, isRunning, logged, end] = [[], false, [], () => {}];
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

function start(share: number, ok = true): void {
  const audit = {
    verifying: () => isRunning,
    async verifyAndRecord({ user }: { user: string }) {
      runs.push({ at: new Date().toLocaleString('sv'), user });
      return { ...report, ok, findings: ok ? [] : ['gateway batch 7 was changed.'] };
    },
  };
  end = verifyNightly(
    audit,
    createLogger('host', (line) => logged.push(line)),
    () => share,
  );
}

test('once a night, at 02:30 and a part of the hour after it', async () => {
  vi.setSystemTime(new Date(2026, 9, 13, 14, 0));
  start(0.5);
  await vi.advanceTimersByTimeAsync(3 * 24 * 60 * MINUTE_MS);
  expect(runs).toEqual([
    { at: '2026-10-14 03:00:00', user: 'Sluice (nightly)' },
    { at: '2026-10-15 03:00:00', user: 'Sluice (nightly)' },
    { at: '2026-10-16 03:00:00', user: 'Sluice (nightly)' },
  ]);
});

test('also in the night of the start', async () => {
  vi.setSystemTime(new Date(2026, 9, 13, 1, 0));
  start(0);
  await vi.advanceTimersByTimeAsync(100 * MINUTE_MS);
  expect(runs.map(({ at }) => at)).toEqual(['2026-10-13 02:30:00']);
});

test('not while a verification is running, and again the next night', async () => {
  vi.setSystemTime(new Date(2026, 9, 13, 14, 0));
  start(0);
  isRunning = true;
  await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE_MS);
  expect(runs).toEqual([]);
  isRunning = false;
  await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE_MS);
  expect(runs).toHaveLength(1);
});

test('issues are in the log', async () => {
  vi.setSystemTime(new Date(2026, 9, 13, 14, 0));
  start(0, false);
  await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE_MS);
  expect(logged.join('')).toContain('has findings');
});
