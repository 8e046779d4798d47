import { expect, test } from 'vitest';
import { PlantClock } from './plant-clock.ts';
import { isSpan, WeekHours } from './week-hours.ts';

/** True if the spans allow the moment by the clock in Berlin. */
const allowed = (spans: string[], iso: string): boolean =>
  new WeekHours(spans).has(new PlantClock('Europe/Berlin').weekMinute(Date.parse(iso)));

test.each([
  // 2 March 2026 is a Monday; winter time is UTC+1.
  ['mon-fri 06:00-14:00', '2026-03-02T04:59:59Z', false],
  ['mon-fri 06:00-14:00', '2026-03-02T05:00:00Z', true],
  ['mon-fri 06:00-14:00', '2026-03-02T12:59:59Z', true],
  ['mon-fri 06:00-14:00', '2026-03-02T13:00:00Z', false],
  ['mon-fri 06:00-14:00', '2026-03-07T10:00:00Z', false],
  ['sat 22:00-06:00', '2026-03-07T21:00:00Z', true],
  ['sat 22:00-06:00', '2026-03-08T04:59:00Z', true],
  ['sat 22:00-06:00', '2026-03-08T05:00:00Z', false],
  ['sun 22:00-06:00', '2026-03-09T04:59:00Z', true],
  ['fri-mon 10:00-11:00', '2026-03-02T09:30:00Z', true],
  ['fri-mon 10:00-11:00', '2026-03-03T09:30:00Z', false],
  ['mon-sun 00:00-24:00', '2026-03-08T22:59:59Z', true],
  // Summer time (UTC+2) since 29 March 2026, 02:00: the same span is an hour earlier in UTC.
  ['mon-fri 06:00-14:00', '2026-03-30T04:00:00Z', true],
  ['mon-fri 06:00-14:00', '2026-03-30T12:00:00Z', false],
  // The hour from 02:00 does not occur.
  ['sun 02:00-03:00', '2026-03-29T00:59:59Z', false],
  ['sun 02:00-03:00', '2026-03-29T01:00:00Z', false],
  // On 25 October 2026 it occurs twice.
  ['sun 02:00-03:00', '2026-10-25T00:30:00Z', true],
  ['sun 02:00-03:00', '2026-10-25T01:30:00Z', true],
  ['sun 02:00-03:00', '2026-10-25T02:00:00Z', false],
])('%s at %s: %s', (span, iso, isAllowed) => {
  expect(allowed([span], iso)).toBe(isAllowed);
});

test.each(['', 'mon', 'mon 06:00', 'mon 6:00-14:00', 'mon 06:00-24:01', 'mon 06:00-06:00', 'mon,tue 06:00-14:00'])(
  '"%s" is not a span, and allows nothing',
  (text) => {
    expect(isSpan(text)).toBe(false);
    expect(new WeekHours(['mon-sun 00:00-24:00']).covers(new WeekHours([text]))).toBe(true);
    expect(new WeekHours([text]).covers(new WeekHours(['mon 00:00-00:01']))).toBe(false);
  },
);

test('without spans no minute of the week is allowed; with all days every one is', () => {
  const minutes = Array.from({ length: 7 * 24 * 60 }, (_, minute) => minute);
  expect(minutes.filter((minute) => new WeekHours([]).has(minute))).toEqual([]);
  const always = new WeekHours(['mon-sun 00:00-24:00']);
  expect(minutes.filter((minute) => !always.has(minute))).toEqual([]);
});

test('a clock reads the time of the same minute once, and of the next minute again', () => {
  const clock = new PlantClock('UTC');
  const at = Date.parse('2026-03-02T00:00:00Z');
  expect([at, at + 59_999, at + 60_000, at].map((ms) => clock.weekMinute(ms))).toEqual([0, 0, 1, 0]);
});
