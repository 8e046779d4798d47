import type { setupPage as english } from '../en/setup-page.ts';

export const setupPage: typeof english = {};
