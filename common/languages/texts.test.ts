import { expect, test } from 'vitest';
import { RULES } from '#common/errors/rules.ts';
import { de } from './de/ui.ts';
import { en } from './en/ui.ts';
import { texts as kinds } from './de/kinds.ts';

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

/**
 * The placeholders of a text. A value of an alarm that needs words has a counterpart in German: `germanNames` beside
 * `names`.
 */
function places(name: string, text: string): string[] {
  const found = text.match(/\{\{\w+\}\}|<\/?\w+\/?>/g) ?? [];
  const twin = /^\{\{german([A-Z])/;
  if (!name.startsWith('alarmText.')) return found.toSorted();
  return found.map((place) => place.replace(twin, (_, letter: string) => `{{${letter.toLowerCase()}`)).toSorted();
}

/** The glossary has one German word for each of these ideas, and it is another one. */
const OTHER_GERMAN =
  /Verbraucher|\bPerson(en)?\b|Festplatte|Messwert|\bFrist|Kennung|Zeitgrenze|Nutzlast|Historie|[zZ]ugelassen|Zulassung|[aA]n(ge)?halten|scheiter|Speichern (&|und) Senden|(Schlüssel|Schlüssels)[^.;:]* (ge)?sperr|\bZeichnung\b|[aA]bgewiesen|[lL]aufende[nr]? Fassung|[bB]leibt aus/;
/** English rules come with the sentences of the admin API, so the page does not load them. */
const english = texts({ ...en, errors: { ...en.errors, rules: RULES } });
const german = texts(de);

test('German has every text that English has, and no other', () => {
  expect([...german.keys()].toSorted()).toEqual([...english.keys()].toSorted());
});

test('a text is empty in both languages or in none, and each language fills in the same values', () => {
  for (const [name, text] of english) {
    expect(german.get(name) === '', name).toBe(text === '');
    const filled = places(name, german.get(name) ?? '');
    // A rule may leave out a value that is English, such as the word for what is expected.
    if (name.startsWith('errors.rules.')) expect(places(name, text), name).toEqual(expect.arrayContaining(filled));
    else expect(filled, name).toEqual(places(name, text));
  }
});

/** Worded in the reader's language before they are filled in. */
const WORDED = 'download.failed';

test('a reason in English is quoted in a German text', () => {
  for (const [name, text] of [...german].filter(([one]) => one !== WORDED))
    expect(text.replaceAll('„{{reason}}“', ''), name).not.toContain('{{reason}}');
});

test('no text says what the guide forbids', () => {
  for (const [name, text] of [...english, ...german])
    expect(text, name).not.toMatch(/\b(please|oops|failed to|bitte)\b/i);
});

test('each idea has the German word that the glossary gives it', () => {
  for (const [name, text] of [...german, ...Object.entries(kinds)]) expect(text, name).not.toMatch(OTHER_GERMAN);
});
