import { expect, test } from 'vitest';
import type { ShareUse } from '#common/control/messages.ts';
import { ShareNews } from './share-news.ts';

const holder = (id: string, project = 'line-1') => ({ id, name: `name of ${id}`, project });

test('a holder that reaches a limit is reported once, and cleared a minute after its last refusal', () => {
  let nowMs = 0;
  const told: ShareUse[][] = [];
  const news = new ShareNews(
    (uses) => told.push(uses),
    () => nowMs,
  );
  const first = { cap: 'requests', name: 'name of a', project: 'line-1' };
  const second = { cap: 'bodies', name: null, project: 'line-2' };
  for (let n = 0; n < 3; n++) news.refused('requests', holder('a'), 'holder');
  nowMs = 30_000;
  for (const id of ['b', 'c']) news.refused('bodies', holder(id, 'line-2'), 'project');
  nowMs = 59_999;
  news.look();
  expect(told).toEqual([[first], [first, second]]);
  nowMs = 60_000;
  news.look();
  nowMs = 90_000;
  news.look();
  expect(told.slice(2)).toEqual([[second], []]);
});
