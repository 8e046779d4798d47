import { expect, test } from 'vitest';
import { wordsFor } from './words.ts';

test.each([
  ['de', 'Sluice öffnen'],
  ['de-AT', 'Sluice öffnen'],
  ['DE', 'Sluice öffnen'],
  ['en-GB', 'Open Sluice'],
  ['den', 'Open Sluice'],
  ['', 'Open Sluice'],
  ['constructor', 'Open Sluice'],
])('a system in "%s" reads "%s"', async (locale, open) => {
  expect((await wordsFor(locale)).open).toBe(open);
});

test('a count of one is reported in the singular', async () => {
  expect((await wordsFor('en')).running(1)).toBe('Running, 1 route answers');
  expect((await wordsFor('de')).alarms(2)).toBe('2 Alarme');
});
