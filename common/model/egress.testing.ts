import type { EgressTarget } from './egress.ts';

/** A healthy target with an empty queue. */
export function egressTarget(more: Partial<EgressTarget> = {}): EgressTarget {
  return {
    id: 't1',
    target: 'https://mes.example:443',
    state: 'open',
    reason: null,
    pausedBy: null,
    pausedAt: null,
    queued: 0,
    dead: 0,
    bytes: 0,
    oldestAt: null,
    nextTryAt: null,
    fullInSeconds: null,
    acceptedPerMinute: 0,
    deliveredPerMinute: 0,
    lastAnswer: null,
    rehearsal: null,
    ...more,
  };
}
