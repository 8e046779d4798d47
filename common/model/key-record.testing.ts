import type { KeyRecord } from './records.ts';

/** A valid key that was never used, with the changes of `patch`. */
export function testKey(patch: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: 'k',
    project: 'line-7',
    name: 'MES',
    scopes: [],
    limits: {},
    paused: null,
    honey: false,
    exposed: null,
    createdAt: '2026-11-20T12:00:00Z',
    createdBy: 'anna',
    lastUsedAt: null,
    revokedAt: null,
    revokedBy: null,
    ...patch,
  };
}
