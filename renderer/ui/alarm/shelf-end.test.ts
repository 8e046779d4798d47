import { expect, test } from 'vitest';
import { shelfChoices, shelfEnd } from './shelf-end.ts';

const NOW = new Date('2026-03-01T10:00:00');

test('an alarm is shelved for at most a shift, and warnings and advisories also until a date', () => {
  expect(shelfChoices('egress_paused')).toEqual(['1h', '8h']);
  expect(shelfChoices('caller_silent')).toEqual(['1h', '8h', 'date']);
  expect(shelfChoices('keys_readable')).toEqual(['1h', '8h', 'date']);
});

test('a shelf ends after its hours, or in the morning of its day', () => {
  expect(shelfEnd('egress_paused', '8h', '', NOW)).toEqual(new Date('2026-03-01T18:00:00'));
  expect(shelfEnd('keys_readable', 'date', '2026-03-04', NOW)).toEqual(new Date('2026-03-04T06:00:00'));
});

test('a missing, past or too distant day is not a valid end', () => {
  expect(shelfEnd('keys_readable', 'date', '', NOW)).toBeNull();
  expect(shelfEnd('keys_readable', 'date', '2026-03-01', NOW)).toBeNull();
  expect(shelfEnd('keys_readable', 'date', '2026-09-01', NOW)).toBeNull();
});
