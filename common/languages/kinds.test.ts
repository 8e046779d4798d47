import { expect, test } from 'vitest';
import { SETTING_SECTIONS, SETTINGS } from '#common/model/settings.ts';
import { kinds, manifestOf } from '#plugins';
import { settingTexts } from './de/kinds/settings.ts';
import { texts } from './de/kinds.ts';

const SHOWN = new Set(['title', 'description', 'unit']);

/** The texts that a description of fields shows. */
function shown(value: unknown, found: Set<string>): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (SHOWN.has(name) && typeof inner === 'string') found.add(inner);
    else if (name === 'choices') for (const text of Object.values(inner as Record<string, string>)) found.add(text);
    else shown(inner, found);
  }
  return found;
}

const ofKinds = new Set(
  kinds.map(manifestOf).flatMap(({ title, summary, settings }) => [title, summary, ...shown(settings, new Set())]),
);
const ofSettings = shown(SETTINGS, new Set(Object.values<string>(SETTING_SECTIONS)));
const english = new Set([...ofKinds, ...ofSettings]);

test('German has every text of the shipped kinds and of the settings, and no other', () => {
  expect(Object.keys(settingTexts).toSorted()).toEqual([...ofSettings].toSorted());
  expect(Object.keys(texts).toSorted()).toEqual([...english].toSorted());
});

test('German keeps what is written in place of values', () => {
  for (const [text, german] of Object.entries(texts))
    expect(german.includes('{{payload.…}}'), text).toBe(text.includes('{{payload.…}}'));
});
