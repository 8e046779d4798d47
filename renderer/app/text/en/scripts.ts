export const scripts = {};
