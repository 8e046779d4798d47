import { expect, test } from 'vitest';
import type { AuditRow } from '#common/model/audit.ts';
import { type FeedQuery, inOrder, JournalFeed } from './journal-feed.ts';

const START_MS = Date.parse('2026-03-01T06:00:00Z');
const rowAt = (ms: number): AuditRow => ({
  time: new Date(START_MS + ms).toISOString(),
  type: 'refusal',
  requestId: `r${ms}`,
});

/** A journal as returned by the API: a cursor is the number of rows before it in the whole list. */
function journalOf(rows: AuditRow[]) {
  const asked: FeedQuery[] = [];
  const feed = new JournalFeed(
    async (query) => {
      asked.push(query);
      const all = inOrder(rows.filter(({ time }) => query.from === undefined || time >= query.from));
      const start = Number(query.cursor ?? 0);
      const end = start + query.limit;
      return {
        items: all.slice(start, end),
        next: end < all.length ? String(end) : null,
        searchedTo: null,
        newest: inOrder(rows)[0]?.time ?? null,
      };
    },
    () => ({ add: (added) => [...added], addNewer: (added, shown) => inOrder([...added, ...shown]) }),
  );
  return { feed, rows, asked, shown: () => feed.state().rows.map(({ requestId }) => requestId) };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => rowAt(index * 10_000));

test('older pages are loaded one after the other, up to the oldest', async () => {
  const { feed } = journalOf(many(2_500));
  await feed.start();
  expect(feed.state()).toMatchObject({ loading: null, complete: false });
  expect(feed.state().rows).toHaveLength(100);
  for (let page = 0; page < 3; page++) await feed.older();
  expect(feed.state()).toMatchObject({ complete: true });
  expect(feed.state().rows).toHaveLength(2_500);
  expect(new Set(feed.state().rows).size).toBe(2_500);
});

test('new rows are shown immediately, and once each, while the view is at the top', async () => {
  const { feed, rows, shown } = journalOf(many(2));
  await feed.start();
  rows.push(rowAt(20_000));
  await feed.look();
  await feed.look();
  expect(shown()).toEqual(['r20000', 'r10000', 'r0']);
});

test('a late row is inserted in its place', async () => {
  const { feed, rows, shown } = journalOf(many(2));
  await feed.start();
  rows.push(rowAt(9_500));
  await feed.look();
  expect(shown()).toEqual(['r10000', 'r9500', 'r0']);
});

test('new rows wait until the user requests them while the view is not at the top', async () => {
  const { feed, rows, shown } = journalOf(many(2));
  await feed.start();
  feed.follow(false);
  rows.push(rowAt(20_000), rowAt(30_000));
  await feed.look();
  expect(feed.state().waiting).toBe(2);
  expect(shown()).toEqual(['r10000', 'r0']);
  feed.show();
  expect(feed.state().waiting).toBe(0);
  expect(shown()).toEqual(['r30000', 'r20000', 'r10000', 'r0']);
});

test('a flood of rows is not kept: the feed reports that there are more and reads the newest page again', async () => {
  const { feed, rows } = journalOf(many(2));
  await feed.start();
  feed.follow(false);
  for (let index = 0; index < 7_000; index++) rows.push(rowAt(20_000 + index));
  await feed.look();
  expect(feed.state()).toMatchObject({ waiting: 5_000, waitingMore: true });
  feed.show();
  await expect.poll(() => feed.state().rows[0]?.requestId).toBe('r26999');
  expect(feed.state()).toMatchObject({ waiting: 0, waitingMore: false });
});

test('an error is reported, and the loaded rows are kept', async () => {
  let broken = false;
  const feed = new JournalFeed(
    async () => {
      if (broken) throw new Error('no answer');
      return { items: many(1), next: null, searchedTo: null, newest: null };
    },
    () => ({ add: (added) => [...added], addNewer: (added, shown) => [...added, ...shown] }),
  );
  await feed.start();
  broken = true;
  await feed.look();
  expect(feed.state().error).toEqual(new Error('no answer'));
  expect(feed.state().rows).toHaveLength(1);
  broken = false;
  await feed.look();
  expect(feed.state().error).toBeNull();
});

test('a search without matches ends without an error and shows the first row that arrives later', async () => {
  const { feed, rows, shown } = journalOf([]);
  await feed.start();
  await feed.look();
  expect(feed.state()).toMatchObject({ rows: [], loading: null, complete: true, error: null });
  rows.push(rowAt(5_000));
  await feed.look();
  expect(shown()).toEqual(['r5000']);
});

test('a search with empty pages continues until it finds a row', async () => {
  const asked: (string | undefined)[] = [];
  const searchedTo: (string | null)[] = [];
  const feed = new JournalFeed(
    async ({ cursor }) => {
      asked.push(cursor);
      const place = Number(cursor ?? 0);
      if (place < 3) return { items: [], next: String(place + 1), searchedTo: rowAt(-place).time, newest: null };
      return { items: [rowAt(-9)], next: null, searchedTo: null, newest: null };
    },
    () => ({ add: (added) => [...added], addNewer: (added, shown) => inOrder([...added, ...shown]) }),
  );
  feed.subscribe(() => searchedTo.push(feed.state().searchedTo));
  await feed.start();
  expect(asked).toEqual([undefined, '1', '2', '3']);
  expect(searchedTo).toEqual([null, rowAt(0).time, rowAt(-1).time, rowAt(-2).time, null]);
  expect(feed.state()).toMatchObject({ complete: true, loading: null });
  expect(feed.state().rows).toHaveLength(1);
});

test('a search with few matches requests only rows newer than the newest row of the journal', async () => {
  const asked: (string | undefined)[] = [];
  const newest = rowAt(90_000).time;
  const feed = new JournalFeed(
    async ({ from }) => {
      asked.push(from);
      return { items: from === undefined ? [rowAt(0)] : [], next: null, searchedTo: null, newest };
    },
    () => ({ add: (added) => [...added], addNewer: (added, shown) => inOrder([...added, ...shown]) }),
  );
  await feed.start();
  await feed.look();
  expect(asked).toEqual([undefined, rowAt(89_000).time]);
  expect(feed.state().rows).toHaveLength(1);
});
