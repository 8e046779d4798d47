import { expect, test } from 'vitest';
import { createAlarmNews } from './alarm-news.ts';
import { desktop as german } from '#common/languages/de/desktop.ts';
import { alarmText } from '#common/alarms/alarm-text.ts';
import { alarmOf, stateWith } from './shell-state.testing.ts';
import { trayMenu } from './tray-menu.ts';
import { trayState } from './tray-state.ts';
import { wordsFor } from './words.ts';

const silent = alarmOf('caller_silent', { text: 'MES: no call for longer than usual.', values: { names: 'MES' } });

test.each([
  [
    'with its values',
    'gateway_restarted',
    { count: 3 },
    /^Das Gateway wurde seit dem Start von Sluice 3-mal neu gestartet/,
  ],
  ['in the singular', 'egress_dead', { count: 1 }, /^1 unzustellbares Ereignis wartet/],
  ['in the plural', 'egress_dead', { count: 2 }, /^2 unzustellbare Ereignisse warten/],
  ['in English, when German does not know it', 'of_tomorrow', {}, /^In English\.$/],
  ['in English, when a value is missing', 'caller_silent', {}, /^In English\.$/],
  ['in English, when its code is a property of the prototype', 'toString', {}, /^In English\.$/],
])('an alarm is reported %s', (_, code, values, told) => {
  expect(alarmText(alarmOf(code, { text: 'In English.', values }), german)).toMatch(told);
});

test('a value is inserted unchanged', () => {
  expect(alarmText(alarmOf('caller_silent', { values: { names: '$& {{names}}' } }), german)).toBe(
    '$& {{names}}: länger als üblich kein Aufruf.',
  );
});

test('tray and notification speak the system’s language', async () => {
  for (const [locale, said] of [
    ['de', 'MES: länger als üblich kein Aufruf.'],
    ['en', 'MES: no call for longer than usual.'],
  ] as const) {
    const words = await wordsFor(locale);
    const menu = trayMenu(trayState(stateWith({ alarms: [silent] }), words), { kiosk: false, autostart: null }, words);
    expect(menu).toContainEqual({ kind: 'act', act: 'open', label: said, enabled: true });
    const news = createAlarmNews(words);
    news([], 0);
    expect(news([silent], 1).map(({ body }) => body)).toEqual([said]);
  }
});
