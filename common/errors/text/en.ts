import { codes } from './en/codes.ts';
import { nodeCodes } from './en/node-codes.ts';
import { refusals } from './en/refusals.ts';
import { remedies } from './en/remedies.ts';
import { REQUEST_FAULTS, type RequestFaultName } from '../request-faults.ts';
import { words } from './en/words.ts';

const requestFaults: Record<RequestFaultName, string> = REQUEST_FAULTS;

/** All texts of the catalogue in English; each other language has the same shape. */
export const errors = { codes, nodeCodes, refusals, remedies, requestFaults, words };
