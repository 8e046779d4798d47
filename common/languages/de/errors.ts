import type { UiTexts } from '../language.ts';
import { codes } from './errors/codes.ts';
import { nodeCodes } from './errors/node-codes.ts';
import { refusals } from './errors/refusals.ts';
import { remedies } from './errors/remedies.ts';
import { requestFaults } from './errors/request-faults.ts';
import { rules } from './errors/rules.ts';
import { words } from './errors/words.ts';

export const errors: UiTexts['errors'] = {
  codes,
  nodeCodes,
  refusals,
  remedies,
  requestFaults,
  rules,
  words,
};
