import { expected } from '../errors/rules.ts';

export const ZONE_EXPECTED = expected('form', { what: 'the name of a time zone,', example: 'Europe/Berlin' });

/** Only names: an offset such as +01:00 has no daylight saving time and is most likely a mistake. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
