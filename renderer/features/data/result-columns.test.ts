import { expect, test } from 'vitest';
import { cellText, columnsOf } from './result-columns.ts';

test('a column has the type of its first value', () => {
  const rows = [
    { id: 'A-1', n: null, on: true, raw: { base64: 'AA==' }, doc: { a: 1 }, none: null },
    { id: 'A-2', n: 7, on: false, raw: null, doc: [], none: null, late: 'x' },
  ];
  expect(columnsOf(rows).map(({ name, type }) => `${name} ${type}`)).toEqual([
    'id text',
    'n number',
    'on boolean',
    'raw bytes',
    'doc json',
    'none null',
    'late text',
  ]);
  expect(columnsOf([])).toEqual([]);
});

test('a value is shown unchanged, or shortened if it is long', () => {
  expect([cellText(null), cellText(1234567), cellText('x'), cellText({ a: 1 })]).toEqual([
    'NULL',
    '1234567',
    'x',
    '{"a":1}',
  ]);
  expect(cellText('x'.repeat(400))).toHaveLength(301);
});
