import { expect, test } from 'vitest';
import { refuseDrafts } from './refuse-drafts.ts';

const running = (id: string, revision: number, wantedRevision: number) => ({
  definition: { id },
  revision,
  wantedRevision,
});

test('a project whose newest versions are in force may be assigned', () => {
  expect(() => refuseDrafts([running('orders', 3, 3)], [], [])).not.toThrow();
});

test('a version that is not in force on the hub is named', () => {
  const orders = [running('orders', 3, 3), running('stops', 5, 4)];
  expect(() => refuseDrafts(orders, [], [])).toThrow(/^The pipeline stops runs in revision 4, and 5 is the newest/);
  const drafts = [{ resource: { id: 'shift' } }];
  expect(() => refuseDrafts([], drafts, [])).toThrow(/^The query shift has a draft/);
  expect(() => refuseDrafts([], [], drafts)).toThrow(/^The script shift has a draft/);
});
