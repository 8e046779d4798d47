/** Which stretch of time the journal shows, by its name in the address. */
export const RANGES = ['today', '7d', 'all', 'own'] as const;
export type RangeName = (typeof RANGES)[number];

export interface Range {
  name: RangeName;
  /** RFC 3339, UTC; absent = open. */
  from?: string;
  to?: string;
}

const WEEK_DAYS = 7;

const isName = (name: string): name is RangeName => RANGES.some((one) => one === name);

/**
 * The range that the address names. Where it names none: today, but everything for one who asks for a consumer or a
 * request, whose rows may be older. `now` counts to the day only, so that the range stays the same all day.
 */
export function rangeOf(read: (name: string) => string, asksForOne: boolean, now: Date): Range {
  const given = read('range');
  const name = isName(given) ? given : asksForOne ? 'all' : 'today';
  if (name === 'all') return { name };
  if (name === 'own') return { name, ...timeOf('from', read('from')), ...timeOf('to', read('to')) };
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (name === '7d' ? WEEK_DAYS - 1 : 0));
  return { name, from: day.toISOString() };
}

function timeOf(name: 'from' | 'to', text: string): { from?: string; to?: string } {
  const time = Date.parse(text);
  return Number.isNaN(time) ? {} : { [name]: new Date(time).toISOString() };
}

const two = (value: number) => String(value).padStart(2, '0');

/** The value of a `datetime-local` field: local time to the minute. */
export function fieldTime(iso: string | undefined): string {
  if (iso === undefined) return '';
  const time = new Date(iso);
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
