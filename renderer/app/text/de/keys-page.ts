import type { keysPage as english } from '../en/keys-page.ts';

export const keysPage: typeof english = {};
