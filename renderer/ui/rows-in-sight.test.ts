import { expect, test } from 'vitest';
import { rowsInSight } from './rows-in-sight.ts';

const view = { firstRow: 0, height: 480, count: 1000, rowHeight: 48 };

test('the visible rows and a few more are rendered, for a list of any length', () => {
  expect(rowsInSight(view)).toEqual({ first: 0, last: 17 });
  expect(rowsInSight({ ...view, firstRow: 500, count: 100_000 })).toEqual({ first: 494, last: 517 });
  expect(rowsInSight({ ...view, firstRow: 995 })).toEqual({ first: 983, last: 999 });
});

test('a list that became shorter than the scroll position is shown from its end', () => {
  expect(rowsInSight({ ...view, firstRow: 900, count: 20 })).toEqual({ first: 3, last: 19 });
  expect(rowsInSight({ ...view, firstRow: 900, count: 3 })).toEqual({ first: 0, last: 2 });
  expect(rowsInSight({ ...view, count: 0 })).toEqual({ first: 0, last: -1 });
});
