type Values = Readonly<Record<string, string | number>>;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const two = (part: number): string => String(part).padStart(2, '0');

/**
 * Formats the timestamps among the values of an alarm in local time; the date is left out if it is the date of `now`.
 */
export function shownValues(values: Values, now: Date): Record<string, string | number> {
  const shown = Object.entries(values).map(([name, value]) => [name, isInstant(value) ? localTime(value, now) : value]);
  return Object.fromEntries(shown) as Record<string, string | number>;
}

const isInstant = (value: string | number): value is string => typeof value === 'string' && INSTANT.test(value);

export function localTime(instant: string, now: Date): string {
  const at = new Date(instant);
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  if (at.toDateString() === now.toDateString()) return clock;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}
