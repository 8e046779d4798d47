import { interpolate, type Place, type Values } from '../errors/interpolate.ts';
import { type EnglishPhrases as English, phrases } from '../languages/en/phrases.ts';
import type { PhraseTexts } from '../languages/language.ts';

/**
 * A phrase of the host in the text of an alarm. The host stores and sends its name and values; each language has its
 * own text for the name (`common/languages/<code>/phrases.ts`).
 */
export interface Phrase {
  readonly phrase: string;
  readonly values: Readonly<Record<string, string | NamedPhrase>>;
}

/** A phrase without values that is nested in another one. */
export interface NamedPhrase {
  readonly phrase: string;
}

/** Too few or too many values do not compile. */
export function phrase<Name extends keyof English>(
  name: Name,
  ...[values]: [Place<English[Name]>] extends [never]
    ? []
    : [Readonly<Record<Place<English[Name]>, string | NamedPhrase>>]
): Phrase {
  return { phrase: name, values: values ?? {} };
}

/** The text for a name, with its values filled in; null for a name that this version does not know. */
export type PhraseWriter = (name: string, values: Values) => string | null;

export function phraseWriter(texts: PhraseTexts): PhraseWriter {
  const words: Readonly<Record<string, string>> = texts;
  return (name, values) => (Object.hasOwn(words, name) ? interpolate(words[name] ?? '', values) : null);
}

/** The phrases joined by commas; null if one of them has no text in this version. */
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
