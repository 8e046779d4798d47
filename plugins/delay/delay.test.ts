import { getEventListeners } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { nodeOf, testRun, withBody } from '../sdk/testing.ts';
import { delay, WAITING_MAX } from './index.ts';

afterEach(() => vi.useRealTimers());

test('a message is passed on after the delay, not before', async () => {
  vi.useFakeTimers();
  const node = await nodeOf(delay, { seconds: 2 });
  const [message, run] = [withBody(1), testRun()];
  const left = vi.fn<(outcome: unknown) => void>();
  void Promise.resolve(node.run(message, run)).then(left);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(left).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(left).toHaveBeenCalledWith({ port: 'out', message });
  expect(getEventListeners(run.signal, 'abort')).toEqual([]);
});

test('a delay of 0 answers synchronously', async () => {
  const message = withBody(1);
  expect((await nodeOf(delay, { seconds: 0 })).run(message, testRun())).toEqual({ port: 'out', message });
});

test('cancelling the run ends the wait immediately and leaves no timer behind', async () => {
  vi.useFakeTimers();
  const run = testRun();
  const outcome = (await nodeOf(delay, { seconds: 3600 })).run(withBody(1), run);
  run.controller.abort();
  expect(await outcome).toBe(undefined);
  expect(vi.getTimerCount()).toBe(0);
});

test('a node holds a limited number of messages, and accepts more once some are passed on', async () => {
  vi.useFakeTimers();
  const node = await nodeOf(delay, { seconds: 1 });
  const runs = Array.from({ length: WAITING_MAX }, testRun);
  for (const run of runs) void node.run(withBody(1), run);
  expect(() => node.run(withBody(1), testRun())).toThrow(expect.objectContaining({ code: 'delay_full' }));
  runs[0]?.controller.abort();
  expect(() => node.run(withBody(1), testRun())).not.toThrow();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});
