/**
 * Milliseconds since 1970 of a date or a time whose form was checked before; NaN for one that there is not. `Date.parse`
 * alone makes 2 March of 30 February, and reads a year below 100 as one of the last century where a blank stands for T.
 */
export function isoTimeMs(text: string): number {
  const day = new Date(text.slice(0, 10));
  return day.getUTCDate() === Number(text.slice(8, 10)) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
}
