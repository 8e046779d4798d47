import type { OutboxNews } from './contract.ts';

/** The state of an empty outbox. */
export const NO_NEWS: OutboxNews = { paused: [], dead: 0, filled: 0, trouble: null, sendsHeldBy: [], shareFull: [] };
