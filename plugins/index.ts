import type { NodeKind } from '#sdk';
import { delay } from './delay/index.ts';
import { httpResponse } from './http-response/index.ts';
import { log } from './log/index.ts';
import { restApi } from './rest-api/index.ts';
import { set } from './set/index.ts';
import { switchKind } from './switch/index.ts';
import { transform } from './transform/index.ts';
import { validate } from './validate/index.ts';

export { manifestOf } from './manifest.ts';

/** The node kinds that are shipped, in the order in which the editor offers them. */
export const kinds: readonly NodeKind[] = [restApi, httpResponse, transform, validate, switchKind, set, log, delay];
