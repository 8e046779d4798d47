/** Times and numbers for display. `locale` is the language of the UI. */
const two = (value: number) => String(value).padStart(2, '0');

/** Day before month in English too, as in all of Sluice. */
export const dateLocale = (locale: string) => (locale === 'en' ? 'en-GB' : locale);

const SHORT = { day: 'numeric', month: 'short' } as const;
const LONG = { ...SHORT, year: 'numeric' } as const;
/** One per language: creating one takes longer than the rest of a row. */
const shortFormats = new Map<string, Intl.DateTimeFormat>();
const longFormats = new Map<string, Intl.DateTimeFormat>();

function kept(
  formats: Map<string, Intl.DateTimeFormat>,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(dateLocale(locale), options);
  formats.set(locale, format);
  return format;
}

export function shortDate(time: Date, locale: string): string {
  return kept(shortFormats, locale, SHORT).format(time);
}

export function longDate(time: Date, locale: string): string {
  return kept(longFormats, locale, LONG).format(time);
}

/** 14:32:07, local. */
export function clockTime(time: Date): string {
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** 14:32:07.118, local: for lists where order within a second matters. */
export function preciseTime(time: Date): string {
  return `${clockTime(time)}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

export function dayAndTime(time: Date, locale: string): string {
  return `${longDate(time, locale)} ${clockTime(time)}`;
}

/** For a tooltip: the same time in UTC. */
export function utcTime(time: Date): string {
  return `${time.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

export type Age = { unit: 'now' } | { unit: 'seconds' | 'minutes' | 'hours'; count: number } | { unit: 'date' };

/** How long ago, in a suitable unit; a date from one day on. If the clock is a little ahead, it is "now". */
export function ageOf(time: Date, now: Date): Age {
  const seconds = Math.floor((now.getTime() - time.getTime()) / 1000);
  if (seconds < 1) return { unit: 'now' };
  if (seconds < 60) return { unit: 'seconds', count: seconds };
  if (seconds < 5400) return { unit: 'minutes', count: Math.floor(seconds / 60) };
  if (seconds < 86_400) return { unit: 'hours', count: Math.floor(seconds / 3600) };
  return { unit: 'date' };
}
