/** The time range of the journal, by its name in the address (docs/spec/journal.md#ranges). */
export const RANGES = ['hour', 'shift', 'night', 'today', 'yesterday', '7d', 'all', 'own'] as const;
export type RangeName = (typeof RANGES)[number];

export interface Range {
  name: RangeName;
  /** RFC 3339, UTC; absent: open. */
  from?: string;
  to?: string;
}

const WEEK_DAYS = 7;
const HOUR_MS = 3_600_000;
/** Start hours of shifts, local time: early, late and night shift, as in most plants. */
const SHIFT_HOURS = [6, 14, 22] as const;
const [EARLY_HOUR, , NIGHT_HOUR] = SHIFT_HOURS;
/** The range "last hour" moves in steps, so that the list is not reloaded continuously. */
const STEP_MS = 10 * 60_000;

const isName = (name: string): name is RangeName => RANGES.some((one) => one === name);

/** The time on which a range depends: the same for all moments of a step. */
export function rangeStep(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS) * STEP_MS;
}

/**
 * The range in the address. Default: today, but everything for a filter by caller or request ID, whose rows may be
 * older. `now` is a time of `rangeStep`.
 */
export function rangeOf(read: (name: string) => string, asksForOne: boolean, now: Date): Range {
  const given = read('range');
  const name = isName(given) ? given : asksForOne ? 'all' : 'today';
  switch (name) {
    case 'all':
      return { name };
    case 'own':
      return { name, ...timeOf('from', read('from')), ...timeOf('to', read('to')) };
    case 'hour':
      return { name, from: new Date(now.getTime() - HOUR_MS).toISOString() };
    case 'shift':
      return { name, from: shiftStart(now).toISOString() };
    case 'night':
      return { name, from: dayAt(now, -1, NIGHT_HOUR).toISOString(), to: before(dayAt(now, 0, EARLY_HOUR)) };
    case 'yesterday':
      return { name, from: dayAt(now, -1, 0).toISOString(), to: before(dayAt(now, 0, 0)) };
    case 'today':
      return { name, from: dayAt(now, 0, 0).toISOString() };
    case '7d':
      return { name, from: dayAt(now, 1 - WEEK_DAYS, 0).toISOString() };
  }
}

/** Local time; days and hours of the calendar, whatever the clock did in between. */
function dayAt(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

function shiftStart(now: Date): Date {
  const hour = SHIFT_HOURS.findLast((start) => start <= now.getHours());
  return hour === undefined ? dayAt(now, -1, NIGHT_HOUR) : dayAt(now, 0, hour);
}

/** Both ends belong to the range. */
function before(time: Date): string {
  return new Date(time.getTime() - 1).toISOString();
}

function timeOf(name: 'from' | 'to', text: string): { from?: string; to?: string } {
  const time = Date.parse(text);
  return Number.isNaN(time) ? {} : { [name]: new Date(time).toISOString() };
}
