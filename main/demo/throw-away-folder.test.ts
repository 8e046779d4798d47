import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { takeDataLock } from '../vault/lock.ts';
import { makeThrowAwayFolder } from './throw-away-folder.ts';

let parent: Awaited<ReturnType<typeof tempDir>>;
beforeEach(async () => void (parent = await tempDir()));
afterEach(() => parent.remove());

/** A folder in the state in which a killed demo leaves it. */
function left(name: string, { lockedMsAgo = 3_600_000, marked = true } = {}): string {
  const folder = join(parent.path, name);
  mkdirSync(join(folder, 'journal'), { recursive: true });
  if (marked) writeFileSync(join(folder, 'throw-away'), '');
  takeDataLock(folder).release();
  const at = new Date(Date.now() - lockedMsAgo);
  utimesSync(join(folder, 'lock.sqlite'), at, at);
  return folder;
}

test('the folder of a killed demo is removed when the next one starts', () => {
  const killed = left('sluice-demo-Ab3dE9');
  const { folder, remove } = makeThrowAwayFolder(parent.path);
  expect(existsSync(killed)).toBe(false);
  expect(existsSync(folder)).toBe(true);
  remove();
  expect(existsSync(folder)).toBe(false);
});

test('the folder of a running demo stays', () => {
  const running = left('sluice-demo-Ab3dE9');
  const lock = takeDataLock(running);
  makeThrowAwayFolder(parent.path).remove();
  expect(existsSync(running)).toBe(true);
  lock.release();
});

test('everything else stays', () => {
  const starting = left('sluice-demo-Ab3dE9', { lockedMsAgo: 1_000 });
  const others = ['sluice-demo', 'sluice-demo-Ab3dE9x', 'my-sluice-demo-Ab3dE9', 'sluice-test-Ab3dE9'].map((name) =>
    left(name),
  );
  const unlocked = join(parent.path, 'sluice-demo-noLock');
  mkdirSync(unlocked);
  const file = join(parent.path, 'sluice-demo-aFile0');
  writeFileSync(file, '');
  const link = join(parent.path, 'sluice-demo-aLink0');
  symlinkSync(others[0] ?? '', link);
  makeThrowAwayFolder(parent.path).remove();
  for (const path of [starting, ...others, unlocked, file, link]) expect(existsSync(path), path).toBe(true);
});

test('the folder of another user stays', () => {
  const theirs = left('sluice-demo-Ab3dE9');
  vi.spyOn(process, 'getuid').mockReturnValue(54_321);
  makeThrowAwayFolder(parent.path).remove();
  expect(existsSync(theirs)).toBe(true);
});

test('a data folder that a user named like that of a demo stays', () => {
  const own = left('sluice-demo-backup', { marked: false });
  makeThrowAwayFolder(parent.path).remove();
  expect(existsSync(own)).toBe(true);
});

test('the files of a demo itself are removed when it ends', () => {
  const { folder } = makeThrowAwayFolder(parent.path);
  takeDataLock(folder).release();
  const at = new Date(Date.now() - 3_600_000);
  utimesSync(join(folder, 'lock.sqlite'), at, at);
  makeThrowAwayFolder(parent.path).remove();
  expect(existsSync(folder)).toBe(false);
});
