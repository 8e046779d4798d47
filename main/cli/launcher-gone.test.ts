import { expect, test, vi } from 'vitest';
import { launcherGone } from './launcher-gone.ts';

/** Whether it has resolved half a minute after the end of the parent, by the clock of the test. */
async function isTold(environment: NodeJS.ProcessEnv): Promise<boolean> {
  vi.useFakeTimers();
  let parent = 77;
  let told = false;
  void launcherGone(environment, () => parent).then(() => (told = true));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(told).toBe(false);
  parent = 1;
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  return told;
}

test('the end of the launcher matters only in an npm script', async () => {
  expect(await isTold({ npm_lifecycle_event: 'start' })).toBe(true);
  expect(await isTold({})).toBe(false);
});
