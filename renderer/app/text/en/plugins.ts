export const plugins = {};
