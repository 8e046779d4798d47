import type { EgressBuffer, Rehearsal } from '#common/model/egress.ts';

/** Records for tests: an empty buffer, a successful rehearsal. */
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
