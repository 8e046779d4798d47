import { expect, test } from 'vitest';
import { chosenRange, rangeAddress } from './trend-range.ts';

const reader = (values: Record<string, string>) => (name: string) => values[name] ?? '';

test('a range in the address is used only if its start is before its end', () => {
  const range = { from: Date.UTC(2026, 2, 1, 6), to: Date.UTC(2026, 2, 1, 7) };
  expect(chosenRange(reader(rangeAddress(range)))).toEqual({ kind: 'own', range });
  expect(chosenRange(reader({ ...rangeAddress({ from: range.to, to: range.from }), range: '8h' }))).toEqual({
    kind: '8h',
  });
  expect(chosenRange(reader({ range: 'toString' }))).toEqual({ kind: '1h' });
  expect(chosenRange(reader({ from: 'x', to: 'y' }))).toEqual({ kind: '1h' });
});
