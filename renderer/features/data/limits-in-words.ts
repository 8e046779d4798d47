import type { TFunction } from 'i18next';
import type { WriteCondition, WriteLimits } from '#common/model/write-limits.ts';
import { plainValue } from './tag-value.tsx';

const SIGNS = { '=': '=', '!=': '≠', '<': '<', '>': '>' } as const;

/** The limits as one sentence, such as "Only while line7/mode = Remote; 0 to 240; at most ±5 a step"; '' without any. */
export function limitsInWords(limits: WriteLimits | undefined, t: TFunction, language: string): string {
  if (limits === undefined) return '';
  const { onlyWhile, perSecond, maxStep } = limits;
  const number = (value: number) => plainValue(value, language);
  const conditions = onlyWhile.map((one) => conditionInWords(one, t, language)).join(t('writeLimits.words.and'));
  const parts = [
    conditions === '' ? '' : t('writeLimits.words.onlyWhile', { conditions }),
    rangeInWords(limits, t, number),
    perSecond === undefined ? '' : t('writeLimits.words.perSecond', { count: perSecond }),
    maxStep === undefined ? '' : t('writeLimits.words.step', { step: number(maxStep) }),
  ];
  const words = parts.filter((part) => part !== '').join('; ');
  // A tag path at the start would keep its case, but a sentence never starts with one.
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function rangeInWords({ min, max }: WriteLimits, t: TFunction, number: (value: number) => string): string {
  if (min !== undefined && max !== undefined)
    return t('writeLimits.words.range', { min: number(min), max: number(max) });
  if (min !== undefined) return t('writeLimits.words.atLeast', { min: number(min) });
  return max === undefined ? '' : t('writeLimits.words.atMost', { max: number(max) });
}

function conditionInWords({ tag, is, value, maxAge }: WriteCondition, t: TFunction, language: string): string {
  const seconds = maxAge === undefined ? null : plainValue(maxAge, language);
  if (is === undefined)
    return seconds === null
      ? t('writeLimits.words.good', { tag })
      : t('writeLimits.words.olderAlone', { tag, seconds });
  const condition = t('writeLimits.words.compared', { tag, is: SIGNS[is], value: plainValue(value, language) });
  return seconds === null ? condition : t('writeLimits.words.older', { condition, seconds });
}
