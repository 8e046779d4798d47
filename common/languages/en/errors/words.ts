import type { ValueWords } from '#common/languages/error-texts.ts';

export const words: ValueWords = {
  someone: 'The caller',
  otherMethod: 'another method',
  nothing: 'nothing',
  and: '{{list}} and {{last}}',
};
