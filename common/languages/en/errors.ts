import { codes } from './errors/codes.ts';
import { nodeCodes } from './errors/node-codes.ts';
import { refusals } from './errors/refusals.ts';
import { remedies } from './errors/remedies.ts';
import { REQUEST_FAULTS, type RequestFaultName } from '#common/errors/request-faults.ts';
import { words } from './errors/words.ts';

const requestFaults: Record<RequestFaultName, string> = REQUEST_FAULTS;

/** All texts of the catalogue in English; the other languages have the same shape. */
export const errors = { codes, nodeCodes, refusals, remedies, requestFaults, words };
