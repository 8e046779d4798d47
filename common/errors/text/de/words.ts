import type { ValueWords } from '../texts.ts';

export const words: ValueWords = {
  someone: 'Unbekannt',
  otherMethod: 'eine andere Methode',
  nothing: 'nichts',
  and: '{{list}} und {{last}}',
};
