import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FIRST_WINDOW_MS, LoopMeter, processFigures, WINDOW_MS } from './process-figures.ts';

test('the figures of this process have the stated units', () => {
  const figures = processFigures();
  const nowSeconds = Date.now() / 1000;
  expect(figures.startedAt).toBeGreaterThan(nowSeconds - 3600);
  expect(figures.startedAt).toBeLessThanOrEqual(nowSeconds);
  expect(figures.cpuSeconds).toBeGreaterThan(0);
  expect(figures.cpuSeconds).toBeLessThan(3600);
  expect(figures.residentBytes).toBeGreaterThan(figures.heapUsedBytes);
  expect(figures.heapLimitBytes).toBeGreaterThan(figures.heapUsedBytes);
});

test('a blocked event loop shows only in the period in which it happened', async () => {
  const meter = new LoopMeter();
  expect(meter.read(0)).toBeNull();
  await sleep(50);
  const until = performance.now() + 300;
  while (performance.now() < until);
  await sleep(100);
  expect(meter.read(FIRST_WINDOW_MS - 1)).toBeNull();
  const blocked = meter.read(FIRST_WINDOW_MS);
  expect(blocked?.max).toBeGreaterThan(0.2);
  expect(blocked?.mean).toBeLessThan(blocked?.max ?? 0);
  await sleep(60);
  expect(meter.read(FIRST_WINDOW_MS + WINDOW_MS - 1)).toEqual(blocked);
  expect(meter.read(FIRST_WINDOW_MS + WINDOW_MS)).not.toEqual(blocked);
  meter.close();
});
