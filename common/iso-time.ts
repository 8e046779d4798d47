/**
 * Milliseconds since 1970 for a date or time whose format was checked before; NaN if it does not exist. `Date.parse`
 * alone reads 30 February as 2 March, and a year below 100 as one of the last century if there is a blank instead of T.
 */
export function isoTimeMs(text: string): number {
  const day = new Date(text.slice(0, 10));
  return day.getUTCDate() === Number(text.slice(8, 10)) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
}
