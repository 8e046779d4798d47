const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = DAYS.length * DAY_MINUTES;

const DAY = DAYS.join('|');
const SPAN = new RegExp(
  String.raw`^(${DAY})(?:-(${DAY}))? ((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d|24:00)$`,
);

/** A span of a week: its first and its last day, and the time at which it begins and ends on each of them. */
interface Span {
  readonly days: readonly number[];
  readonly fromMinute: number;
  /** At most `fromMinute` + 24 h: after midnight it belongs to the day on which it began. */
  readonly toMinute: number;
}

function readSpan(text: string): Span | null {
  const [, first, last, from, to] = SPAN.exec(text) ?? [];
  if (first === undefined || from === undefined || to === undefined || from === to) return null;
  const fromMinute = minuteOf(from);
  const end = minuteOf(to);
  return {
    days: daysBetween(dayNumber(first), dayNumber(last ?? first)),
    fromMinute,
    toMinute: end > fromMinute ? end : end + DAY_MINUTES,
  };
}

/** `mon-fri 06:00-14:00`, `sat 22:00-06:00` (until Sunday), `mon-sun 00:00-24:00`. */
export function isSpan(text: string): boolean {
  return readSpan(text) !== null;
}

/**
 * Spans of a week by the clock of a time zone (docs/spec/keys.md#limits). A span that cannot be read, such as one of a
 * later version, allows nothing.
 */
export class WeekHours {
  /** One bit for each minute of the week. */
  readonly #allowed = new Uint8Array(WEEK_MINUTES / 8);

  constructor(spans: readonly string[]) {
    for (const text of spans) {
      const span = readSpan(text);
      if (span === null) continue;
      for (const day of span.days) this.#allow(day * DAY_MINUTES, span);
    }
  }

  /** `minute`: of the week, 0 = Monday 00:00. */
  has(minute: number): boolean {
    return ((this.#allowed[minute >> 3] ?? 0) & (1 << (minute & 7))) !== 0;
  }

  /** True if every minute of `inner` is allowed here. */
  covers(inner: WeekHours): boolean {
    return inner.#allowed.every((minutes, at) => (minutes & ~(this.#allowed[at] ?? 0)) === 0);
  }

  #allow(dayStart: number, { fromMinute, toMinute }: Span): void {
    for (let at = dayStart + fromMinute; at < dayStart + toMinute; at++) {
      const minute = at % WEEK_MINUTES;
      this.#allowed[minute >> 3] = (this.#allowed[minute >> 3] ?? 0) | (1 << (minute & 7));
    }
  }
}

/** The minute of the week, 0 = Monday 00:00, of a short English weekday such as `Mon`, an hour and a minute. */
export function weekMinute(weekday: string, hour: number, minute: number): number {
  return dayNumber(weekday.toLowerCase()) * DAY_MINUTES + hour * 60 + minute;
}

function dayNumber(name: string): number {
  return DAYS.indexOf(name as (typeof DAYS)[number]);
}

/** `fri-mon` continues over the end of the week. */
function daysBetween(first: number, last: number): number[] {
  const count = ((last - first + DAYS.length) % DAYS.length) + 1;
  return Array.from({ length: count }, (_, n) => (first + n) % DAYS.length);
}

function minuteOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
