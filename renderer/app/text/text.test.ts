import { expect, test } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';

/** Every text by its dotted name. */
function texts(tree: object, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(tree)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof value === 'string') found.set(path, value);
    else for (const [inner, text] of texts(value as object, path)) found.set(inner, text);
  }
  return found;
}

/** A value that needs words has a twin in German: `germanNames` beside `names`. */
const places = (text: string) =>
  (text.match(/\{\{\w+\}\}|<\/?\w+>/g) ?? [])
    .map((place) => place.replace(/^\{\{german([A-Z])/, (_, letter: string) => `{{${letter.toLowerCase()}`))
    .toSorted();
const english = texts(en);
const german = texts(de);

test('German has every text that English has, and no other', () => {
  expect([...german.keys()].toSorted()).toEqual([...english.keys()].toSorted());
});

test('a text is empty in both languages or in none, and each language fills in the same values', () => {
  for (const [name, text] of english) {
    expect(german.get(name) === '', name).toBe(text === '');
    expect(places(german.get(name) ?? ''), name).toEqual(places(text));
  }
});

test('no text says what the guide forbids', () => {
  for (const [name, text] of [...english, ...german])
    expect(text, name).not.toMatch(/\b(please|oops|failed to|bitte)\b/i);
});
