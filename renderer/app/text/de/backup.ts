import type { backup as english } from '../en/backup.ts';

export const backup: typeof english = {};
