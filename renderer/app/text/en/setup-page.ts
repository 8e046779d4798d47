export const setupPage = {};
