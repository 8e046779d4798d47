import { expect, test } from 'vitest';
import { encode } from '../form.ts';
import { BATCH_POINTS_MAX, QUEUE_CHARS_MAX, VALUE_CHARS_MAX } from '../limits.ts';
import { PointQueue, type SeriesRef } from './point-queue.ts';

function series(path = 'a'): SeriesRef {
  return { project: 'p', path, unit: '', gone: false };
}

function add(queue: PointQueue, ref: SeriesRef, ...times: number[]): boolean[] {
  return times.map((time) => queue.add(ref, time, encode(time, 'good')));
}

test('a batch has its points in order of arrival, each series named once', () => {
  const queue = new PointQueue();
  const [a, b] = [series('a'), series('b')];
  add(queue, a, 1);
  add(queue, b, 2);
  add(queue, a, 3);
  expect(queue.take()).toEqual({
    names: [
      { project: 'p', path: 'a', unit: '' },
      { project: 'p', path: 'b', unit: '' },
    ],
    series: [0, 1, 0],
    times: [1, 2, 3],
    forms: [4, 4, 4],
    values: [1, 2, 3],
  });
});

test('a failed batch is written again before newer points', () => {
  const queue = new PointQueue();
  add(queue, series(), 1, 2);
  queue.take();
  add(queue, series('b'), 3);
  queue.failed();
  expect(queue.take()?.times).toEqual([1, 2, 3]);
  queue.written();
  expect(queue.empty).toBe(true);
});

test('points of a removed project are not written, nor are those of a failed batch', () => {
  const queue = new PointQueue();
  const [gone, kept] = [series('gone'), series('kept')];
  add(queue, gone, 1);
  queue.take();
  add(queue, gone, 2);
  add(queue, kept, 3);
  queue.failed();
  gone.gone = true;
  expect(queue.take()?.times).toEqual([3]);
});

test('a batch is limited, and so are all waiting points including the current batch', () => {
  const queue = new PointQueue(BATCH_POINTS_MAX + 2);
  const times = Array.from({ length: BATCH_POINTS_MAX + 1 }, (_, index) => index);
  expect(add(queue, series(), ...times)).not.toContain(false);
  expect(queue.take()?.times).toHaveLength(BATCH_POINTS_MAX);
  expect(add(queue, series(), 1, 2)).toEqual([true, false]);
  queue.written();
  expect(add(queue, series(), 3)).toEqual([true]);
});

test('the characters of waiting strings are limited, and released once they are written', () => {
  const queue = new PointQueue();
  const text = encode('x'.repeat(VALUE_CHARS_MAX), 'good');
  const fill = (): number => {
    let taken = 0;
    while (queue.add(series(), taken, text)) taken += 1;
    return taken;
  };
  const room = Math.floor(QUEUE_CHARS_MAX / VALUE_CHARS_MAX);
  expect(fill()).toBe(room);
  expect(queue.add(series(), 0, encode(1, 'good'))).toBe(true);
  queue.take();
  queue.written();
  expect(fill()).toBe(room);
});
