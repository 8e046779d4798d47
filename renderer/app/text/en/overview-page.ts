export const overviewPage = {};
