import type { OutboxNews } from './contract.ts';

/** What an empty outbox says of itself. */
export const NO_NEWS: OutboxNews = { paused: [], dead: 0, filled: 0, trouble: null, sendsHeldBy: [], shareFull: [] };
