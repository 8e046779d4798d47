import type { AlarmTexts, PhraseTexts } from '../languages/language.ts';
import type { Alarm } from '../model/records.ts';
import { phraseList, phraseWriter } from './phrase.ts';
import { shownValues } from './shown-values.ts';

/**
 * The text of an alarm for users; in the host's English if the language has no text for it, or if the alarm lacks a value
 * or a phrase of the text.
 */
export function alarmText(
  { code, text, values, phrases = {} }: Pick<Alarm, 'code' | 'text' | 'values' | 'phrases'>,
  words: { readonly alarmTexts: AlarmTexts; readonly phraseTexts: PhraseTexts },
  now = new Date(),
): string {
  const texts: Readonly<Record<string, string>> = words.alarmTexts;
  const names = [code, `${code}_${values['count'] === 1 ? 'one' : 'other'}`];
  const found = names.find((name) => Object.hasOwn(texts, name));
  if (found === undefined) return text;
  const shown = shownValues(values, now);
  const write = phraseWriter(words.phraseTexts);
  const valueOf = (name: string): string | number | null | undefined => {
    if (Object.hasOwn(phrases, name)) return phraseList(phrases[name] ?? [], write);
    return Object.hasOwn(shown, name) ? shown[name] : null;
  };
  let whole = true;
  const filled = (texts[found] ?? '').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = valueOf(name) ?? null;
    whole &&= value !== null;
    return String(value);
  });
  return whole ? filled.trim() : text;
}
