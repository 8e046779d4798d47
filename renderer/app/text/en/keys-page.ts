export const keysPage = {};
