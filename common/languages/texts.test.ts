import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RULES } from '#common/errors/rules.ts';
import { ui as de } from './de/ui.ts';
import { desktop } from './en/desktop.ts';
import { ui as en } from './en/ui.ts';
import { later } from './en/later.ts';
import { LANGUAGES } from './languages.ts';
import { kinds } from './de/kinds.ts';

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

/** The placeholders of a text. */
function places(text: string): string[] {
  return (text.match(/\{\{\w+\}\}|<\/?\w+\/?>/g) ?? []).toSorted();
}

/** The glossary has one German word for each of these ideas, and it is another one. */
const OTHER_GERMAN =
  /Verbraucher|\bPerson(en)?\b|Festplatte|Messwert|\bFrist|Kennung|Zeitgrenze|Nutzlast|Historie|[zZ]ugelassen|Zulassung|[aA]n(ge)?halten|scheiter|Speichern (&|und) Senden|(Schlüssel|Schlüssels)[^.;:]* (ge)?sperr|\bZeichnung\b|[aA]bgewiesen|[lL]aufende[nr]? Fassung|[bB]leibt aus/;
/** English rules come with the sentences of the admin API, so the page does not load them. */
const english = texts({
  ...en,
  ...later,
  alarms: { ...en.alarms, ...later.alarms },
  errors: { ...en.errors, rules: RULES },
});
const german = texts(de);
const others = await Promise.all(
  Object.entries(LANGUAGES).map(async ([code, language]) => ({
    code,
    ui: texts((await language.ui()).ui),
    desktop: (await language.desktop()).desktop,
  })),
);

/** Worded in the reader's language before they are filled in. */
const WORDED = 'download.failed';

describe.each(others)('$code', ({ code, ui, desktop: shell }) => {
  test('has every text that English has, and no other', () => {
    expect([...ui.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    expect(Object.keys(shell).toSorted()).toEqual(Object.keys(desktop).toSorted());
  });

  test('a text is empty in both languages or in none, and each language fills in the same values', () => {
    for (const [name, text] of english) {
      expect(ui.get(name) === '', name).toBe(text === '');
      const filled = places(ui.get(name) ?? '');
      // A rule may leave out a value that is English, such as the word for what is expected.
      if (name.startsWith('errors.rules.')) expect(places(text), name).toEqual(expect.arrayContaining(filled));
      else expect(filled, name).toEqual(places(text));
    }
  });

  test('a reason in English is quoted', () => {
    for (const [name, text] of [...ui].filter(([one]) => one !== WORDED))
      expect(text.replaceAll(/[„«“"]\{\{reason\}\}[“»”"]/g, ''), name).not.toContain('{{reason}}');
  });

  test('each template of a pipeline has a short title and one sentence about it', () => {
    const about = [...english, ...ui].filter(([name]) => name.startsWith('templates.texts.'));
    for (const [name, text] of about)
      expect(text, name).toMatch(name.endsWith('.title') ? /^.{5,60}[^.]$/ : /^.{20,160}\.$/);
  });

  test('takes its texts from its own folder', () => {
    const folder = new URL(`./${code}/`, import.meta.url);
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.ts')))
      for (const line of readFileSync(new URL(file, folder), 'utf8').matchAll(/^import (?!type )[^;]*from '([^']+)'/gm))
        expect(line[1], file).toMatch(/^\.\/|^#common\/languages\/(?:error-texts|counted)\.ts$|^\.\.\/counted\.ts$/);
  });
});

test('no text says what the guide forbids', () => {
  for (const [name, text] of [...english, ...german])
    expect(text, name).not.toMatch(/\b(please|oops|failed to|bitte)\b/i);
});

test('each idea has the German word that the glossary gives it', () => {
  for (const [name, text] of [...german, ...Object.entries(kinds)]) expect(text, name).not.toMatch(OTHER_GERMAN);
});
