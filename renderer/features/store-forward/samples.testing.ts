import type { EgressBuffer, EgressTarget, Rehearsal } from '#common/model/egress.ts';

/** Records for tests: a target that is well, an empty buffer, a rehearsal that went well. */
export function target(over: Partial<EgressTarget>): EgressTarget {
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
    ...over,
  };
}

export function buffer(over: Partial<EgressBuffer>): EgressBuffer {
  return {
    bytes: 0,
    bytesMax: 1024 ** 3,
    events: 0,
    eventsMax: 1_000_000,
    diskFreeBytes: null,
    diskReserveBytes: 1024 ** 3,
    fullInSeconds: null,
    trouble: null,
    ...over,
  };
}

export function rehearsal(over: Partial<Rehearsal>): Rehearsal {
  return {
    state: 'done',
    by: 'A. Brandt',
    startedAt: '2026-10-13T12:30:00Z',
    blockedUntil: '2026-10-13T12:31:00Z',
    doneAt: '2026-10-13T12:31:02Z',
    accepted: 12,
    waitedBefore: 0,
    delivered: 12,
    dead: 0,
    waiting: 0,
    backlogMost: 12,
    lost: 0,
    reordered: 0,
    samples: [],
    ...over,
  };
}
