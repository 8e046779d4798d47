import { expect, test } from 'vitest';
import { equalRows, rowsInSight, unequalRows } from './rows-in-sight.ts';

const view = { firstRow: 0, height: 480 };
const rows = (count: number) => equalRows(count, 48);

test('the visible rows and a few more are rendered, for a list of any length', () => {
  expect(rowsInSight(rows(1000), view)).toEqual({ first: 0, last: 17 });
  expect(rowsInSight(rows(100_000), { ...view, firstRow: 500 })).toEqual({ first: 494, last: 517 });
  expect(rowsInSight(rows(1000), { ...view, firstRow: 995 })).toEqual({ first: 984, last: 999 });
});

test('a list that became shorter than the scroll position is shown from its end', () => {
  expect(rowsInSight(rows(20), { ...view, firstRow: 900 })).toEqual({ first: 4, last: 19 });
  expect(rowsInSight(rows(3), { ...view, firstRow: 900 })).toEqual({ first: 0, last: 2 });
  expect(rowsInSight(rows(0), view)).toEqual({ first: 0, last: -1 });
});

test('rows of different heights are placed one below the other and found by their distance from the top', () => {
  const mixed = unequalRows([64, 128, 128, 64, 128]);
  expect([0, 1, 3, 5].map((index) => mixed.top(index))).toEqual([0, 64, 320, 512]);
  expect([0, 63, 64, 319, 320, 511, 512, 9999].map((y) => mixed.rowAt(y))).toEqual([0, 0, 1, 2, 3, 4, 5, 5]);
  expect(unequalRows([]).rowAt(10)).toBe(0);
  const many = unequalRows(Array.from({ length: 1000 }, (_, index) => (index % 10 === 0 ? 64 : 128)));
  expect(rowsInSight(many, { firstRow: 500, height: 480 })).toEqual({ first: 494, last: 510 });
});
