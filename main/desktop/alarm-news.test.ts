import { beforeEach, expect, test } from 'vitest';
import { createAlarmNews, QUIET_MS } from './alarm-news.ts';
import { alarmOf } from './shell-state.testing.ts';
import { wordsFor } from './words.ts';

let news: ReturnType<typeof createAlarmNews>;
beforeEach(async () => {
  news = createAlarmNews(await wordsFor('en'));
});
const bodies = (...args: Parameters<typeof news>) => news(...args).map(({ body }) => body);

test('alarms from before the start are not reported', () => {
  expect(bodies([alarmOf('old')], 0)).toEqual([]);
  expect(bodies([alarmOf('old')], 1)).toEqual([]);
});

test('a new alarm is reported once', () => {
  news([], 0);
  expect(news([alarmOf('a')], 1)).toEqual([{ title: 'Sluice: alarm', body: 'a is on.' }]);
  expect(bodies([alarmOf('a')], 2)).toEqual([]);
});

test('an acknowledged alarm is not reported, and is reported again when its subject changes', () => {
  const seen = { acknowledgedAt: '2026-03-01T08:00:00.000Z', acknowledgedBy: 'Ada' };
  news([], 0);
  expect(bodies([alarmOf('a', seen)], 1)).toEqual([]);
  expect(bodies([alarmOf('a', { text: 'another caller' })], 2)).toEqual(['another caller']);
});

test('an alarm that returns after a while is reported again, one that flaps is not', () => {
  news([], 0);
  news([alarmOf('a')], 1);
  news([], 2);
  expect(bodies([alarmOf('a', { since: '2026-03-01T07:01:00.000Z' })], 3)).toEqual([]);
  news([], 4);
  expect(bodies([alarmOf('a', { since: '2026-03-01T07:09:00.000Z' })], 1 + QUIET_MS)).toEqual(['a is on.']);
});

test('several alarms at once are reported together', () => {
  news([], 0);
  expect(news([alarmOf('a'), alarmOf('b')], 1)).toHaveLength(2);
  const many = ['c', 'd', 'e'].map((code) => alarmOf(code));
  expect(news([alarmOf('a'), ...many], 2)).toEqual([
    { title: 'Sluice: 3 alarms', body: 'c is on. · d is on. · e is on.' },
  ]);
});

test('an endless text is cut', () => {
  news([], 0);
  expect(bodies([alarmOf('a', { text: 'x'.repeat(9_999) })], 1)[0]?.length).toBeLessThan(250);
});
