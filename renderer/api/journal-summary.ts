import type { CallOutcome } from '#common/model/call-outcome.ts';

/** Call counts as returned by the admin API, page by page. */
type OutcomeCounts = Record<CallOutcome, number>;
export type Bar = { at: string } & OutcomeCounts;

interface FacetValue {
  value: string;
  name?: string;
  calls: number;
}

export interface Facet {
  values: FacetValue[];
  /** Calls without such a value. */
  without: number;
  /** Calls with values that are not listed. */
  others: number;
}

export interface JournalSummary {
  from: string;
  to: string;
  stepMs: number;
  bars: Bar[];
  outcomes: OutcomeCounts;
  consumers: Facet;
  routes: Facet;
  addresses: Facet;
}

type Page = JournalSummary & { next: string | null };

/** All pages of one summary, added up. The range of the first page is used: an open end moves in the meantime. */
export async function readSummary(read: (cursor: string | null) => Promise<Page>): Promise<JournalSummary> {
  const first = await read(null);
  let { next } = first;
  let sum: JournalSummary = first;
  while (next !== null) {
    const page = await read(next);
    sum = added(sum, page);
    next = page.next;
  }
  return sum;
}

function added(sum: JournalSummary, page: JournalSummary): JournalSummary {
  return {
    ...sum,
    bars: addedBars(sum.bars, page),
    outcomes: addedCounts(sum.outcomes, page.outcomes),
    consumers: addedFacet(sum.consumers, page.consumers),
    routes: addedFacet(sum.routes, page.routes),
    addresses: addedFacet(sum.addresses, page.addresses),
  };
}

/** Pages go from the newest rows to the oldest; a bar can be on two of them. */
function addedBars(bars: readonly Bar[], page: JournalSummary): Bar[] {
  const byTime = new Map(bars.map((bar) => [bar.at, bar]));
  for (const bar of page.bars) {
    const known = byTime.get(bar.at);
    byTime.set(bar.at, known === undefined ? bar : { at: bar.at, ...addedCounts(known, bar) });
  }
  return [...byTime.values()].toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

function addedCounts(a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts {
  return { passed: a.passed + b.passed, refused: a.refused + b.refused, failed: a.failed + b.failed };
}

/** The first page has the newest rows, so its names are current. */
function addedFacet(a: Facet, b: Facet): Facet {
  const values = new Map(a.values.map((one) => [one.value, one]));
  for (const one of b.values) {
    const known = values.get(one.value);
    values.set(one.value, known === undefined ? one : { ...known, calls: known.calls + one.calls });
  }
  return {
    values: [...values.values()].toSorted((x, y) => y.calls - x.calls || (x.value < y.value ? -1 : 1)),
    without: a.without + b.without,
    others: a.others + b.others,
  };
}

/** Bars of the whole range, including those without calls, up to the bar at its end. */
export function barsOf({ from, to, stepMs, bars }: Omit<JournalSummary, 'outcomes' | 'consumers'>): Bar[] {
  const known = new Map(bars.map((bar) => [Date.parse(bar.at), bar]));
  const first = Math.floor(Date.parse(from) / stepMs);
  const last = Math.floor(Date.parse(to) / stepMs);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = (first + index) * stepMs;
    return known.get(at) ?? { at: new Date(at).toISOString(), passed: 0, refused: 0, failed: 0 };
  });
}
