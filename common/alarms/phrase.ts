import { interpolate, type Place, type Values } from '../errors/interpolate.ts';
import { type EnglishPhrases as English, phrases } from '../languages/en/phrases.ts';
import type { PhraseTexts } from '../languages/language.ts';

/**
 * Words of the host in the text of an alarm. The host stores and sends the name and the values; each language has its
 * own words for the name (`common/languages/<code>/phrases.ts`).
 */
export interface Phrase {
  readonly phrase: string;
  readonly values: Readonly<Record<string, string | NamedPhrase>>;
}

/** A phrase without values, inside another one. */
export interface NamedPhrase {
  readonly phrase: string;
}

/** Does not compile with a value too few or too many. */
export function phrase<Name extends keyof English>(
  name: Name,
  ...[values]: [Place<English[Name]>] extends [never]
    ? []
    : [Readonly<Record<Place<English[Name]>, string | NamedPhrase>>]
): Phrase {
  return { phrase: name, values: values ?? {} };
}

/** The words for a name, with its values filled in; null for a name of a later version, which has no words here. */
export type PhraseWriter = (name: string, values: Values) => string | null;

export function phraseWriter(texts: PhraseTexts): PhraseWriter {
  const words: Readonly<Record<string, string>> = texts;
  return (name, values) => (Object.hasOwn(words, name) ? interpolate(words[name] ?? '', values) : null);
}

/** Joined by commas; null if one of them has no words here. */
export function phraseList(list: readonly Phrase[], write: PhraseWriter): string | null {
  const written = list.map(({ phrase: name, values }) => {
    const filled = Object.entries(values).map(([place, value]) => [
      place,
      typeof value === 'string' ? value : (write(value.phrase, {}) ?? value.phrase),
    ]);
    return write(name, Object.fromEntries(filled) as Values);
  });
  return written.includes(null) ? null : written.join(', ');
}

const writeEnglish = phraseWriter(phrases);

export const inEnglish = (...list: readonly Phrase[]): string => phraseList(list, writeEnglish) ?? '';
