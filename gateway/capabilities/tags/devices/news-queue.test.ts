import { expect, test } from 'vitest';
import { CHARS_PER_BATCH_MAX, CHARS_WAITING_MAX, NEWS_PER_BATCH_MAX, NEWS_WAITING_MAX } from './limits.ts';
import type { News } from './messages.ts';
import { NewsQueue } from './news-queue.ts';

const sampled = (path: string, value: unknown, id = 1): News => ({
  id,
  version: 1,
  path,
  sample: { value, quality: 'good', reason: null, time: 0 },
});
const lost = (path: string, reason = 'away'): News => ({ id: 1, version: 1, path, lost: reason });
const valueOf = (news: News | undefined) => (news === undefined || 'lost' in news ? null : news.sample.value);

function all(queue: NewsQueue): News[] {
  const taken: News[] = [];
  while (queue.size > 0) taken.push(...queue.take());
  return taken;
}

test('nothing is dropped or reordered while the queue is short', () => {
  const queue = new NewsQueue();
  const news = [sampled('a', 1), lost('a'), sampled('b', 1), sampled('a', 2), lost('b')];
  for (const one of news) queue.add(one);
  expect(all(queue)).toEqual(news);
});

test('a batch holds a limited number of events and characters', () => {
  const queue = new NewsQueue();
  for (let count = 0; count < NEWS_PER_BATCH_MAX + 5; count += 1) queue.add(sampled('a', count));
  expect(queue.take().length).toBe(NEWS_PER_BATCH_MAX);
  expect(queue.take().length).toBe(5);
  const half = 'x'.repeat(CHARS_PER_BATCH_MAX / 2);
  for (const path of ['a', 'b', 'c', 'd', 'e']) queue.add(sampled(path, [half]));
  expect([queue.take().length, queue.take().length, queue.take().length]).toEqual([2, 2, 1]);
});

test('beyond the limit the latest event of each tag is kept, a loss after its sample and a sample after its loss', () => {
  const queue = new NewsQueue();
  for (let count = 0; count < NEWS_WAITING_MAX; count += 1) queue.add(sampled(`t${count % 10}`, count));
  queue.add(lost('t3', 'gone'));
  expect(queue.size).toBe(10);
  queue.add(sampled('t4', 'back'));
  const kept = all(queue);
  expect(kept.filter(({ path }) => path === 't3')).toEqual([lost('t3', 'gone')]);
  expect(kept.slice(-2).map(({ path }) => path)).toEqual(['t3', 't4']);
  expect(valueOf(kept.findLast(({ path }) => path === 't4'))).toBe('back');
  expect(valueOf(kept.find(({ path }) => path === 't9'))).toBe(NEWS_WAITING_MAX - 1);
});

test('large values are limited by their characters, however few they are', () => {
  const queue = new NewsQueue();
  const large = 'x'.repeat(CHARS_WAITING_MAX / 4);
  for (let count = 0; count < 6; count += 1) queue.add(sampled('a', { count, large }));
  expect(queue.size).toBeLessThan(4);
  const [newest] = all(queue).toReversed();
  expect(valueOf(newest)).toMatchObject({ count: 5 });
});

test('reports of a closed provider are no longer sent', () => {
  const queue = new NewsQueue();
  queue.add(sampled('a', 1, 1));
  queue.add(sampled('a', 1, 2));
  queue.forget(1);
  expect(all(queue)).toEqual([sampled('a', 1, 2)]);
});
