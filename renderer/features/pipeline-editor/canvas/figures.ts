import { numberText } from '#ui/quantity.ts';

/** Figures on the canvas: `4.2/s`, `0.3 ms`, `1.2 s`. */
export function rateText(perSecond: number, locale: string): string {
  const digits = perSecond >= 100 ? 0 : 1;
  if (perSecond > 0 && perSecond < 0.1) return `< ${numberText(0.1, locale, 1)}/s`;
  return `${numberText(perSecond, locale, digits)}/s`;
}

export function timeText(ms: number, locale: string): string {
  if (ms < 0.1) return `< ${numberText(0.1, locale, 1)} ms`;
  if (ms >= 1000) return `${numberText(ms / 1000, locale, 1)} s`;
  return `${numberText(ms, locale, ms < 10 ? 1 : 0)} ms`;
}
