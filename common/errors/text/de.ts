import type { errors as english } from './en.ts';
import { codes } from './de/codes.ts';
import { nodeCodes } from './de/node-codes.ts';
import { refusals } from './de/refusals.ts';
import { remedies } from './de/remedies.ts';
import { requestFaults } from './de/request-faults.ts';
import { rules } from './de/rules.ts';
import { words } from './de/words.ts';

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
