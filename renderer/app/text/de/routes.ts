import type { routes as english } from '../en/routes.ts';

export const routes: typeof english = {};
