import type { journalPage as english } from '../en/journal-page.ts';

export const journalPage: typeof english = {};
