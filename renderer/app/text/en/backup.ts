export const backup = {};
