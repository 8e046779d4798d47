import { expect, test } from 'vitest';
import { barsOf, type JournalSummary, readSummary } from './journal-summary.ts';

const MINUTE_MS = 60_000;
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 6, minute)).toISOString();
const facet = (...values: [string, number, string?][]) => ({
  values: values.map(([value, calls, name]) => ({ value, calls, ...(name !== undefined && { name }) })),
  without: 1,
  others: 2,
});
const page = (more: Partial<JournalSummary>): JournalSummary => ({
  from: at(0),
  to: at(4),
  stepMs: MINUTE_MS,
  bars: [],
  outcomes: { passed: 1, refused: 0, failed: 2 },
  consumers: facet(),
  routes: facet(),
  addresses: facet(),
  ...more,
});

test('the pages of a summary are added up', async () => {
  const bar = { passed: 1, refused: 2, failed: 3 };
  const pages = [
    page({ to: at(4), bars: [{ at: at(3), ...bar }], consumers: facet(['k1', 3, 'New name']) }),
    page({ to: at(5), bars: [{ at: at(1), ...bar }, { at: at(3), ...bar }], consumers: facet(['k2', 9], ['k1', 4, 'Old name']) }), // prettier-ignore
  ];
  const cursors: (string | null)[] = [];
  const sum = await readSummary(async (cursor) => {
    cursors.push(cursor);
    const next = cursors.length < pages.length ? `page ${cursors.length}` : null;
    return { ...(pages[cursors.length - 1] as JournalSummary), next };
  });
  expect(cursors).toEqual([null, 'page 1']);
  expect(sum.to).toBe(at(4));
  expect(sum.outcomes).toEqual({ passed: 2, refused: 0, failed: 4 });
  expect(sum.bars).toEqual([
    { at: at(1), ...bar },
    { at: at(3), passed: 2, refused: 4, failed: 6 },
  ]);
  expect(sum.consumers).toEqual({
    values: [
      { value: 'k2', calls: 9 },
      { value: 'k1', name: 'New name', calls: 7 },
    ],
    without: 2,
    others: 4,
  });
});

test('periods without a call have bars too', () => {
  const bars = barsOf(page({ from: at(0), to: at(3), bars: [{ at: at(2), passed: 5, refused: 0, failed: 0 }] }));
  expect(bars.map(({ passed }) => passed)).toEqual([0, 0, 5, 0]);
  expect(bars[0]?.at).toBe(at(0));
});
