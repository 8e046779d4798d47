import type { ValueWords } from '../texts.ts';

export const words: ValueWords = {
  someone: 'The caller',
  otherMethod: 'another method',
  nothing: 'nothing',
  and: '{{list}} and {{last}}',
};
