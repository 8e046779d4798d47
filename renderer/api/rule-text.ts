import type { i18n } from 'i18next';
import { getI18n } from 'react-i18next';
import type { RuleOf } from '#common/errors/catalogue.ts';
import { sentenceOf } from '#common/errors/interpolate.ts';

/** A sentence of the admin API about a field or a call. */
export interface ServerSentence extends RuleOf {
  message: string;
}

/**
 * A sentence of the admin API in the language of the UI; `isOurs` is false if it exists only in English, because it has
 * no declared rule.
 */
export function ruleText(
  { message, rule, params }: ServerSentence,
  text: i18n | undefined = getI18n(),
): { text: string; isOurs: boolean } {
  const language = text?.language ?? 'en';
  if (text === undefined || language === 'en') return { text: message, isOurs: true };
  const worded: unknown = rule === undefined ? undefined : text.getResource(language, 'ui', `errors.rules.${rule}`);
  if (typeof worded !== 'string') return { text: message, isOurs: false };
  return { text: sentenceOf(worded, params ?? {}, language), isOurs: true };
}
