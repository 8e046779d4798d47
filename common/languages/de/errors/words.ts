import type { ValueWords } from '#common/languages/error-texts.ts';

export const words: ValueWords = {
  someone: 'Unbekannt',
  otherMethod: 'eine andere Methode',
  nothing: 'nichts',
  and: '{{list}} und {{last}}',
};
