import { expect, test } from 'vitest';
import { wordsFor } from './words.ts';

test.each([
  ['de', 'Sluice öffnen'],
  ['de-AT', 'Sluice öffnen'],
  ['DE', 'Sluice öffnen'],
  ['en-GB', 'Open Sluice'],
  ['den', 'Open Sluice'],
  ['', 'Open Sluice'],
])('a system in "%s" reads "%s"', (locale, open) => {
  expect(wordsFor(locale).open).toBe(open);
});

test('one is reported as one', () => {
  expect(wordsFor('en').running(1)).toBe('Running, 1 route answers');
  expect(wordsFor('de').alarms(2)).toBe('2 Alarme');
});
