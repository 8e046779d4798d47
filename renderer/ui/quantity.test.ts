import { expect, test } from 'vitest';
import { bytesText, durationText, measureText, numberText, percentText } from './quantity.ts';

test('a duration is shown in its two largest units', () => {
  expect(durationText(0)).toBe('0 s');
  expect(durationText(59.9)).toBe('59 s');
  expect(durationText(60)).toBe('1 min');
  expect(durationText(124)).toBe('2 min 4 s');
  expect(durationText(34 * 60 + 50)).toBe('34 min');
  expect(durationText(6 * 3600 + 20 * 60 + 59)).toBe('6 h 20 min');
  expect(durationText(7200)).toBe('2 h');
  expect(durationText(5 * 86_400 + 2 * 3600)).toBe('5 d 2 h');
});

test('a duration is never negative', () => {
  expect(durationText(-3)).toBe('0 s');
});

test('numbers over a thousand are grouped as in the language', () => {
  expect(numberText(8394, 'en')).toBe('8,394');
  expect(numberText(8394, 'de')).toBe('8.394');
});

test('bytes have one decimal below ten and a space before the unit', () => {
  expect(bytesText(512, 'en')).toBe('512 B');
  expect(bytesText(1229, 'en')).toBe('1.2 KiB');
  expect(bytesText(84 * 1024 ** 2, 'en')).toBe('84 MiB');
  expect(bytesText(1024 ** 3, 'de')).toBe('1 GiB');
  expect(bytesText(1.5 * 1024 ** 3, 'de')).toBe('1,5 GiB');
});

test('a share is rounded to a tenth of a percent, and a small one is not shown as zero', () => {
  expect(percentText(0, 'en')).toBe('0 %');
  expect(percentText(0.000_01, 'en')).toBe('< 0.1 %');
  expect(percentText(0.000_01, 'de')).toBe('< 0,1 %');
  expect(percentText(0.0823, 'en')).toBe('8.2 %');
  expect(percentText(1, 'en')).toBe('100 %');
});

test('the number of decimals of a measured value depends on its size', () => {
  expect([1.23456, 80.456, 1234.56, 0].map((value) => measureText(value, 'en'))).toEqual([
    '1.235',
    '80.46',
    '1,234.6',
    '0',
  ]);
});
