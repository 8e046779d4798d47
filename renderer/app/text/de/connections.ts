import type { connections as english } from '../en/connections.ts';

export const connections: typeof english = {};
