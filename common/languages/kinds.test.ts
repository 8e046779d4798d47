import { expect, test } from 'vitest';
import { SETTING_SECTIONS, SETTINGS } from '#common/model/settings.ts';
import { kinds, manifestOf } from '#plugins';
import { settingTexts } from './de/kinds/settings.ts';
import { kinds as german } from './de/kinds.ts';
import { LANGUAGES } from './languages.ts';

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
  expect(Object.keys(german).toSorted()).toEqual([...english].toSorted());
});

test.each(Object.keys(LANGUAGES))(
  '%s has the same texts, and keeps what is written in place of values',
  async (code) => {
    const module = await LANGUAGES[code]?.kinds();
    const texts = Object.entries(module?.kinds ?? {});
    expect(texts.map(([text]) => text).toSorted()).toEqual([...english].toSorted());
    for (const [text, translated] of texts)
      expect(translated.includes('{{payload.…}}'), text).toBe(text.includes('{{payload.…}}'));
  },
);
