export const journalPage = {};
