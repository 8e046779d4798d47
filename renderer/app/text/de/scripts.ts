import type { scripts as english } from '../en/scripts.ts';

export const scripts: typeof english = {};
