import type { plugins as english } from '../en/plugins.ts';

export const plugins: typeof english = {};
