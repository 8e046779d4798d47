export const projectFiles = {};
