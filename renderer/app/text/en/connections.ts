export const connections = {};
