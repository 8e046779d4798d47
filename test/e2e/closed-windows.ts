import { afterAll, expect } from 'vitest';
import { workerBrowser } from './browser-environment.ts';

/**
 * Runs around every file of page tests, after its own `afterAll`: the next file gets the same browser and process, so
 * this one must have closed its windows, and removed its listeners, globals and environment variables.
 */
const traces = () => ({
  listeners: process.eventNames().map((name) => `${String(name)}: ${process.listenerCount(name)}`),
  // Not the marks of libraries, which are loaded once for all files.
  globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__')),
  variables: Object.keys(process.env),
});
const before = traces();

afterAll(async () => {
  const browser = await workerBrowser()?.();
  const left = browser?.contexts() ?? [];
  const open = left.flatMap((context) => ['a window', ...context.pages().map((page) => page.url())]);
  for (const context of left) await context.close();
  expect(open, 'windows left open by this test file').toEqual([]);
  expect(traces(), 'left in the process by this test file').toEqual(before);
});
