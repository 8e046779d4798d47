import type { KeyRecord } from '#common/model/records.ts';
import type { CallerTraffic } from '#common/model/traffic.ts';

/** The states of a key in a row of the list, the most urgent first. */
export type KeyState =
  | { kind: 'honeyUsed' }
  | { kind: 'exposed' }
  | { kind: 'honey' }
  | { kind: 'paused' }
  | { kind: 'ended'; at: string }
  | { kind: 'refused'; count: number }
  | { kind: 'silent' }
  | { kind: 'replaced' }
  | { kind: 'unused'; days: number }
  | { kind: 'never' }
  /** It has made calls, and all of them were refused. */
  | { kind: 'neverPassed' }
  | { kind: 'valid' }
  | { kind: 'revoked'; at: string };

/** A key that was not used for this long may no longer be needed. */
const UNUSED_DAYS = 30;
const DAY_MS = 86_400_000;
/** A few refusals are normal; above this number a caller has a problem. */
const REFUSED_TO_TELL = 3;

export function stateOf(
  key: KeyRecord,
  keys: readonly KeyRecord[],
  traffic: CallerTraffic | undefined,
  now: Date,
): KeyState {
  if (key.revokedAt !== null) return { kind: 'revoked', at: key.revokedAt };
  if (key.honey) return { kind: key.exposed === null ? 'honey' : 'honeyUsed' };
  if (key.exposed !== null && successorOf(key, keys) === null) return { kind: 'exposed' };
  if (key.paused !== null) return { kind: 'paused' };
  const { until } = key.limits;
  if (until !== undefined && Date.parse(until) <= now.getTime()) return { kind: 'ended', at: until };
  if (traffic && traffic.refused >= REFUSED_TO_TELL) return { kind: 'refused', count: traffic.refused };
  if (successorOf(key, keys) !== null) return { kind: 'replaced' };
  if (traffic?.silent === true) return { kind: 'silent' };
  if (hasNeverPassed(key, traffic)) return { kind: 'neverPassed' };
  const days = unusedDays(key, now);
  if (days >= UNUSED_DAYS) return { kind: 'unused', days };
  return { kind: key.lastUsedAt === null ? 'never' : 'valid' };
}

export function hasNeverPassed({ lastUsedAt }: KeyRecord, traffic: CallerTraffic | undefined): boolean {
  return lastUsedAt === null && (traffic?.lastCallAt ?? null) !== null;
}

function unusedDays({ lastUsedAt, createdAt }: KeyRecord, now: Date): number {
  return Math.floor((now.getTime() - Date.parse(lastUsedAt ?? createdAt)) / DAY_MS);
}

/** Never used, or not for a long time. */
export function isUnused(key: KeyRecord, now: Date): boolean {
  return key.lastUsedAt === null || unusedDays(key, now) >= UNUSED_DAYS;
}

/** "MES line 7 (2)" follows "MES line 7": a rotation uses such names. */
const NUMBERED = /^(.*) \((\d{1,6})\)$/;

function place(name: string): { base: string; number: number } {
  const match = NUMBERED.exec(name);
  return match === null ? { base: name, number: 1 } : { base: match[1] ?? name, number: Number(match[2]) };
}

/** The newest valid key that was created as a successor of this one; null: none. */
export function successorOf(key: KeyRecord, keys: readonly KeyRecord[]): KeyRecord | null {
  const { base, number } = place(key.name);
  const later = keys.filter((other) => {
    const at = place(other.name);
    return other.revokedAt === null && other.project === key.project && at.base === base && at.number > number;
  });
  return later.toSorted((a, b) => place(b.name).number - place(a.name).number)[0] ?? null;
}

/** The key that this one replaces, valid or not; null: none. */
export function predecessorOf(key: KeyRecord, keys: readonly KeyRecord[]): KeyRecord | null {
  const { base, number } = place(key.name);
  const before = keys.filter(
    (other) => other.project === key.project && place(other.name).base === base && place(other.name).number < number,
  );
  return before.toSorted((a, b) => place(b.name).number - place(a.name).number)[0] ?? null;
}

/** Valid keys by name, then revoked ones. */
export function inOrder(keys: readonly KeyRecord[]): KeyRecord[] {
  return keys.toSorted(
    (a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || a.name.localeCompare(b.name),
  );
}
