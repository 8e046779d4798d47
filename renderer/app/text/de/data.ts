import type { data as english } from '../en/data.ts';

export const data: typeof english = {};
