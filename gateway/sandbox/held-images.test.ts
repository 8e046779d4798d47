import { expect, test } from 'vitest';
import { HeldImages } from './held-images.ts';
import { QUEUE_LIMITS } from './limits.ts';

const held = () => new HeldImages({ ...QUEUE_LIMITS, suspendedRuns: 8, suspendedBytes: 800 });

/** Adds runs of `bytes` while there is room; returns their number. */
function fill(images: HeldImages, project: string | null, bytes: number): number {
  let count = 0;
  for (; images.hasRoom(project, bytes); count++) images.add(project, bytes);
  return count;
}

test('one project may use half of the runs and half of the bytes, and all together no more than the limit', () => {
  const [byRuns, byBytes] = [held(), held()];
  expect(['a', 'b', 'c', null].map((project) => fill(byRuns, project, 1))).toEqual([4, 4, 0, 0]);
  expect(['a', 'b', 'c', null].map((project) => fill(byBytes, project, 150))).toEqual([2, 2, 1, 0]);
});

test('runs without a project may use the rest of the total', () => {
  expect(fill(held(), null, 1)).toBe(8);
});

test('removed amounts can be used again', () => {
  const images = held();
  expect(fill(images, 'a', 100)).toBe(4);
  images.remove('a', 100);
  expect(fill(images, 'a', 100)).toBe(1);
});
