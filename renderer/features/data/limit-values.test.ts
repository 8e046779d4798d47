import { expect, test } from 'vitest';
import { createInstance } from 'i18next';
import { later } from '#common/languages/en/later.ts';
import { ui as german } from '#common/languages/de/ui.ts';
import { writeLimits } from '#common/model/write-limits.ts';
import { limitFieldsOf, limitsPreview, limitsRequest } from './limit-values.ts';
import { limitsInWords } from './limits-in-words.ts';
import { numberOr } from './tag-fields.ts';

const LIMITS = writeLimits.parse({
  min: 0,
  max: 240,
  maxStep: 5,
  perSecond: 10,
  onlyWhile: [{ tag: 'line7/mode', is: '=', value: 'Remote', maxAge: 2 }],
});

test('limits survive the form', () => {
  const onlyWhile = [
    { tag: 'a', is: '!=', value: '5' },
    { tag: 'a', is: '<', value: 5.5 },
    { tag: 'a', is: '=', value: true },
    { tag: 'a', is: '=', value: 'true' },
    { tag: 'a', is: '=', value: '' },
    { tag: 'heartbeat', maxAge: 2 },
  ];
  for (const limits of [LIMITS, writeLimits.parse({ onlyWhile }), writeLimits.parse({ max: -1 })])
    expect(limitsRequest({ type: 'number', ...limitFieldsOf(limits) }, numberOr)).toEqual(limits);
  expect(limitsRequest(limitFieldsOf(undefined), numberOr)).toBeUndefined();
  const text = { type: 'text', ...limitFieldsOf(writeLimits.parse({ max: 1, perSecond: 2 })) };
  expect(limitsRequest(text, numberOr), 'a text has no largest value').toEqual({ perSecond: 2, onlyWhile: [] });
});

test('a text that is not a number is sent unchanged, so that the response has the error', () => {
  expect(limitsRequest({ type: 'number', 'limit.max': 'much' }, numberOr)).toMatchObject({ max: 'much' });
  expect(limitsPreview({ type: 'number', 'limit.max': 'much' }, numberOr)).toBeUndefined();
});

async function words(language: 'en' | 'de', limits: Parameters<typeof limitsInWords>[0]) {
  const i18n = createInstance();
  const translation = { writeLimits: language === 'en' ? later.writeLimits : german.writeLimits };
  await i18n.init({ lng: language, resources: { [language]: { translation } }, interpolation: { escapeValue: false } });
  return limitsInWords(limits, i18n.t, language);
}

test('limits as text', async () => {
  expect(await words('en', LIMITS)).toBe(
    'Only while line7/mode = Remote and not older than 2 s; 0 to 240; at most 10 a second; at most ±5 a step',
  );
  expect(await words('de', LIMITS)).toBe(
    'Nur solange line7/mode = Remote und nicht älter als 2 s; 0 bis 240; höchstens 10 pro Sekunde; höchstens ±5 pro Sprung',
  );
  const onlyWhile = [{ tag: 'a', is: '!=' as const, value: 1 }, { tag: 'heartbeat', maxAge: 2 }, { tag: 'b' }];
  expect(await words('en', writeLimits.parse({ min: 1.5, onlyWhile }))).toBe(
    'Only while a ≠ 1 and heartbeat is good and not older than 2 s and b is good; at least 1.5',
  );
  expect(await words('en', undefined)).toBe('');
});
