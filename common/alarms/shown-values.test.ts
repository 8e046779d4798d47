import { expect, test } from 'vitest';
import { shownValues } from './shown-values.ts';

test('points in time are shown in local time, with the date unless it is today; other values are unchanged', () => {
  const at = new Date(2026, 2, 1, 10, 12, 3);
  const values = { from: at.toISOString(), date: '2026-03-01', count: 2 };
  expect(shownValues(values, new Date(2026, 2, 1, 23))).toEqual({ from: '10:12:03', date: '2026-03-01', count: 2 });
  expect(shownValues(values, new Date(2026, 2, 2))).toMatchObject({ from: '2026-03-01 10:12:03' });
});
