import type { errors as english } from './en.ts';
import { codes } from './de/codes.ts';
import { nodeCodes } from './de/node-codes.ts';
import { refusals } from './de/refusals.ts';
import { remedies } from './de/remedies.ts';
import { requestFaults } from './de/request-faults.ts';
import { words } from './de/words.ts';

export const errors: typeof english = { codes, nodeCodes, refusals, remedies, requestFaults, words };
