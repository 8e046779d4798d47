import { expect, test } from 'vitest';
import { settingsSchema } from '#common/model/settings.ts';
import { LIMIT_AREAS, limitsPage } from './limits-page.ts';
import { count, size, time } from './docs/limit-row.ts';

const LIMITS = LIMIT_AREAS.flatMap(({ limits }) => limits);

test.each([
  [0, '0 bytes'],
  [1000, '1,000 bytes'],
  [4096, '4 KiB'],
  [1024 ** 2, '1 MiB'],
  [1.5 * 1024 ** 2, '1,536 KiB'],
  [8 * 1024 ** 3, '8 GiB'],
])('%d bytes are written as %s', (bytes, text) => {
  expect(size(bytes)).toBe(text);
});

test.each([
  [25, '25 ms'],
  [250, '250 ms'],
  [1500, '1,500 ms'],
  [5000, '5 s'],
  [60_000, '60 s'],
  [90_000, '90 s'],
  [900_000, '15 min'],
  [3_600_000, '1 h'],
  [12 * 3_600_000, '12 h'],
  [86_400_000, '24 h'],
  [90 * 86_400_000, '90 days'],
])('%d ms are written as %s', (ms, text) => {
  expect(time(ms)).toBe(text);
});

test('numbers have commas as thousands separators', () => {
  expect(count(1_000_000)).toBe('1,000,000');
});

test('every limit describes its effect, and a setting that it names exists', () => {
  expect(LIMITS.length).toBeGreaterThan(90);
  for (const { what, value, atLimit, setting } of LIMITS) {
    expect(value, what).not.toMatch(/NaN|undefined|Infinity/);
    expect(atLimit, what).not.toBe('');
    const [, name] = /^`([a-z]+[A-Z]\w*)`$/.exec(setting ?? '') ?? [];
    if (name !== undefined && name !== 'rowsMax') expect(settingsSchema.shape, what).toHaveProperty(name);
  }
});

test('no limit is listed twice in an area, and each is on the page', () => {
  const page = limitsPage();
  for (const { title, limits } of LIMIT_AREAS) {
    const names = limits.map(({ what }) => what);
    expect(new Set(names).size, title).toBe(names.length);
    for (const name of names) expect(page).toContain(`| ${name} |`);
  }
});
