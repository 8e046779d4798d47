import type { projectFiles as english } from '../en/project-files.ts';

export const projectFiles: typeof english = {};
