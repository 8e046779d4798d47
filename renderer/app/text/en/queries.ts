export const queries = {};
