import { dateLocale } from './format.ts';

/** Quantities with their units. `locale` is the language of the UI; the units are the same in each. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The two most significant units: `40 s`, `2 min 4 s`, `34 min`, `6 h 20 min`, `5 d 2 h`. Never negative. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < 10 * MINUTE) return twoUnits(whole, MINUTE, 'min', 1, 's');
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) return twoUnits(whole, HOUR, 'h', MINUTE, 'min');
  return twoUnits(whole, DAY, 'd', HOUR, 'h');
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  const first = `${Math.floor(seconds / large)} ${largeName}`;
  return rest === 0 ? first : `${first} ${rest} ${smallName}`;
}

/** Grouped by language: `8,394`. */
export function numberText(value: number, locale: string, fractionDigits = 0): string {
  return value.toLocaleString(dateLocale(locale), { maximumFractionDigits: fractionDigits });
}

/** A measured value: with as many decimals as are useful for its size. */
export function measureText(value: number, locale: string): string {
  const size = Math.abs(value);
  return numberText(value, locale, size < 10 ? 3 : size < 1000 ? 2 : 1);
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `512 B`, `1.2 KiB`, `84 MiB`: one decimal below ten. */
export function bytesText(bytes: number, locale: string): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${numberText(value, locale, unit > 0 && value < 10 ? 1 : 0)} ${BYTE_UNITS[unit] ?? ''}`;
}

/** A share as a percentage, to 0.1 %; a nonzero share is never shown as zero. */
export function percentText(share: number, locale: string): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return `< ${numberText(0.1, locale, 1)} %`;
  return `${numberText(percent, locale, 1)} %`;
}
