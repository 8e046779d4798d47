import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blockedNodeFile } from '#common/node/blocked-node.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { type RunWatch, watchRuns } from './run-watch.ts';

const BLOCKED_MS = 600;
const PLACE = { project: 'line-7', pipeline: 'orders', node: 'check', test: false };

const dir = dirPerTest();
let watch: RunWatch;
beforeEach(() => {
  writeFileSync(blockedNodeFile(dir.path), 'of an earlier gateway');
  watch = watchRuns(dir.path, BLOCKED_MS);
  expect(existsSync(blockedNodeFile(dir.path))).toBe(false);
});
afterEach(() => watch.close());

/** Keeps the event loop busy until the thread has written the file, or for `msMax`. */
function block(msMax: number): boolean {
  const endMs = performance.now() + msMax;
  while (performance.now() < endMs) if (existsSync(blockedNodeFile(dir.path))) return true;
  return false;
}

test('names the inner node that blocks the event loop, and clears the name when the loop turns again', async () => {
  const outer = watch.mark({ ...PLACE, node: 'outer' });
  const inner = watch.mark(PLACE);
  const before = outer.enter();
  const between = inner.enter();
  expect(block(30_000)).toBe(true);
  expect(JSON.parse(readFileSync(blockedNodeFile(dir.path), 'utf8'))).toEqual(PLACE);
  inner.leave(between);
  outer.leave(before);
  await until('the name is taken back', () => !existsSync(blockedNodeFile(dir.path)));
});

test('names no node when none, or a closed one, is on the event loop', () => {
  const closed = watch.mark(PLACE);
  closed.leave(closed.enter());
  expect(block(4 * BLOCKED_MS)).toBe(false);
  closed.enter();
  closed.release();
  expect(block(4 * BLOCKED_MS)).toBe(false);
});
