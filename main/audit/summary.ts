import type { DatabaseSync } from 'node:sqlite';
import type { CallOutcome } from '#common/model/call-outcome.ts';
import type { AuditFilter, AuditSummary, FacetCount } from '../contracts.ts';
import { addressRange } from './address-range.ts';
import { countPlanOf, expectAddress, instant } from './search-plan.ts';
import type { Condition } from './search-terms.ts';
import { cursorOf, placeOf, QUERY_MS_MAX, sliceAfter } from './slices.ts';

/**
 * Counts of calls over a range (docs/spec/journal.md#counts), page by page: the client adds up the counts of all pages.
 * Each facet counts with all filters except its own, so that its other values can be chosen.
 */
/** The largest number of bars in the chart. */
export const BARS_MAX = 120;
/** Values of a facet on one page; the calls of the others are combined. */
export const FACET_VALUES_MAX = 200;
const MINUTE_MS = 60_000;
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080, 43_200].map(
  (minutes) => minutes * MINUTE_MS,
);

interface Counted {
  kind: number;
  bar: number;
  calls: number;
}

interface KindFacts {
  outcome: CallOutcome;
  key: string | null;
  name: string | null;
  address: string | null;
  route: string | null;
}

type FacetName = 'consumer' | 'route' | 'address' | 'outcome';

export function summarise(database: DatabaseSync, filter: AuditFilter, msMax = QUERY_MS_MAX): AuditSummary {
  const span = spanOf(database, filter);
  const stepMs = stepOf(span);
  const plan = countPlanOf(filter);
  const tally = new Tally(database, filter);
  const until = performance.now() + msMax;
  for (let place = placeOf(filter.cursor); ;) {
    const { rows, end } = sliceAfter(database, plan, place);
    for (const counted of countsIn(database, rows, plan.rest, stepMs)) tally.add(counted);
    if (end === null || performance.now() >= until) {
      const range = { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString(), stepMs };
      return { ...range, ...tally.result(stepMs), next: end && cursorOf(end) };
    }
    place = end;
  }
}

/** An open end means the time of the oldest row, or now. */
function spanOf(database: DatabaseSync, { from, to }: AuditFilter): { from: number; to: number } {
  const end = to === undefined ? Date.now() : instant('to', to);
  if (from !== undefined) return { from: instant('from', from), to: end };
  const oldest = database.prepare('SELECT min(time) AS time FROM rows').get()?.['time'];
  return { from: oldest === undefined || oldest === null ? end : Math.min(end, Number(oldest)), to: end };
}

function stepOf({ from, to }: { from: number; to: number }): number {
  const lastStep = STEPS_MS.at(-1) ?? MINUTE_MS;
  const step = STEPS_MS.find((ms) => (to - from) / ms <= BARS_MAX - 1);
  return step ?? Math.ceil((to - from) / (BARS_MAX - 1) / lastStep) * lastStep;
}

function countsIn(database: DatabaseSync, rows: Condition, rest: Condition, stepMs: number): Counted[] {
  const sql =
    'SELECT rows.kind AS kind, rows.time / CAST(? AS INTEGER) AS bar, sum(rows.calls) AS calls ' +
    'FROM rows CROSS JOIN kinds ON kinds.id = rows.kind ' +
    `WHERE ${rows.sql} AND ${rest.sql} GROUP BY 1, 2`;
  return database.prepare(sql).all(stepMs, ...rows.values, ...rest.values) as unknown as Counted[];
}

class Tally {
  readonly #facts: (kind: number) => KindFacts;
  readonly #wanted: (facts: KindFacts, facet: FacetName) => boolean;
  readonly #bars = new Map<number, Record<CallOutcome, number>>();
  readonly #outcomes = noCalls();
  readonly #facets = { consumer: new Facet(), route: new Facet(), address: new Facet() };

  constructor(database: DatabaseSync, filter: AuditFilter) {
    const find = database.prepare('SELECT outcome, key, name, address, route FROM kinds WHERE id = ?');
    const known = new Map<number, KindFacts>();
    this.#facts = (kind) => {
      const facts = known.get(kind) ?? (find.get(kind) as unknown as KindFacts);
      known.set(kind, facts);
      return facts;
    };
    this.#wanted = wantedBy(filter);
  }

  add({ kind, bar, calls }: Counted): void {
    const facts = this.#facts(kind);
    const { outcome, key, name, address, route } = facts;
    const misses = (['consumer', 'route', 'address', 'outcome'] as const).filter((one) => !this.#wanted(facts, one));
    const counts = (facet: FacetName) => misses.every((one) => one === facet);
    if (counts('outcome')) this.#outcomes[outcome] += calls;
    if (counts('consumer')) this.#facets.consumer.add(key, name, calls);
    if (counts('route')) this.#facets.route.add(route, null, calls);
    if (counts('address')) this.#facets.address.add(address, null, calls);
    if (misses.length > 0) return;
    const counted = this.#bars.get(bar) ?? noCalls();
    counted[outcome] += calls;
    this.#bars.set(bar, counted);
  }

  result(stepMs: number): Pick<AuditSummary, 'bars' | 'outcomes' | 'consumers' | 'routes' | 'addresses'> {
    const { consumer, route, address } = this.#facets;
    const bars = [...this.#bars].toSorted(([a], [b]) => a - b);
    return {
      bars: bars.map(([bar, counted]) => ({ at: new Date(bar * stepMs).toISOString(), ...counted })),
      outcomes: this.#outcomes,
      consumers: consumer.result(),
      routes: route.result(),
      addresses: address.result(),
    };
  }
}

function noCalls(): Record<CallOutcome, number> {
  return { passed: 0, refused: 0, failed: 0 };
}

function wantedBy({ keyId, route, address, outcome }: AuditFilter): (facts: KindFacts, facet: FacetName) => boolean {
  const inRange = address === undefined ? null : addressRange(expectAddress(address));
  return (facts, facet) => {
    if (facet === 'consumer') return keyId === undefined || facts.key === keyId;
    if (facet === 'route') return route === undefined || facts.route === route;
    if (facet === 'outcome') return outcome === undefined || facts.outcome === outcome;
    return inRange === null || (facts.address !== null && inRange(facts.address));
  };
}

/** The values of one facet; rows without a value are counted with the others. */
class Facet {
  readonly #values = new Map<string, { name: string | null; calls: number }>();
  #without = 0;

  add(value: string | null, name: string | null, calls: number): void {
    if (value === null) return void (this.#without += calls);
    const known = this.#values.get(value);
    // The newest row is first: its name is the current one.
    if (known === undefined) this.#values.set(value, { name, calls });
    else known.calls += calls;
  }

  result(): { values: FacetCount[]; without: number; others: number } {
    const all = [...this.#values].map(([value, { name, calls }]) => ({ value, ...(name !== null && { name }), calls }));
    const sorted = all.toSorted((a, b) => b.calls - a.calls || (a.value < b.value ? -1 : 1));
    const others = sorted.slice(FACET_VALUES_MAX).reduce((sum, { calls }) => sum + calls, 0);
    return { values: sorted.slice(0, FACET_VALUES_MAX), without: this.#without, others };
  }
}
