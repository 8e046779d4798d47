import { expect, test } from 'vitest';
import { shelfChoices, shelfEnd } from './shelf-end.ts';

const NOW = new Date('2026-03-01T10:00:00');

test('an alarm is shelved for a shift at most, warnings and advisories until a day too', () => {
  expect(shelfChoices('egress_paused')).toEqual(['1h', '8h']);
  expect(shelfChoices('caller_silent')).toEqual(['1h', '8h', 'date']);
  expect(shelfChoices('keys_readable')).toEqual(['1h', '8h', 'date']);
});

test('a shelf ends after its hours, or on the morning of its day', () => {
  expect(shelfEnd('egress_paused', '8h', '', NOW)).toEqual(new Date('2026-03-01T18:00:00'));
  expect(shelfEnd('keys_readable', 'date', '2026-03-04', NOW)).toEqual(new Date('2026-03-04T06:00:00'));
});

test('a day that is missing, over or too far away ends no shelf', () => {
  expect(shelfEnd('keys_readable', 'date', '', NOW)).toBeNull();
  expect(shelfEnd('keys_readable', 'date', '2026-03-01', NOW)).toBeNull();
  expect(shelfEnd('keys_readable', 'date', '2026-09-01', NOW)).toBeNull();
});
