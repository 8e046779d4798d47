import type { overviewPage as english } from '../en/overview-page.ts';

export const overviewPage: typeof english = {};
