import type { Refusal } from '../model/audit.ts';

export const refusal = (fields: Partial<Refusal>): Refusal => ({
  requestId: 'r1',
  step: 5,
  code: 'scope_missing',
  compared: {},
  mend: '',
  ...fields,
});
