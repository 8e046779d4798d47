import type { errors as english } from '../en/errors.ts';
import { codes } from './errors/codes.ts';
import { nodeCodes } from './errors/node-codes.ts';
import { refusals } from './errors/refusals.ts';
import { remedies } from './errors/remedies.ts';
import { requestFaults } from './errors/request-faults.ts';
import { rules } from './errors/rules.ts';
import { words } from './errors/words.ts';

/** English rules are in the sentences of the admin API themselves. */
export const errors: typeof english & { rules: typeof rules } = {
  codes,
  nodeCodes,
  refusals,
  remedies,
  requestFaults,
  rules,
  words,
};
