import type { queries as english } from '../en/queries.ts';

export const queries: typeof english = {};
