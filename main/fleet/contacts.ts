import type { EdgeStatus } from '#common/contract/fleet.ts';
import type { Counters, Phase } from '#common/fleet/records.ts';
import type { Member } from './hub-state.ts';

/** A member that has checked in within this time counts as connected; edges check in every 10 s. */
const CONNECTED_MS = 15_000;

/** The last contact with a member since the hub started. */
export interface Contact {
  /** Monotonic milliseconds. */
  seenAt: number;
  /** RFC 3339. */
  seen: string;
  have: Counters;
  phase: Phase;
  reason: string | null;
  version: string;
}

export function isConnected(contact: Contact | undefined): boolean {
  return contact !== undefined && performance.now() - contact.seenAt < CONNECTED_MS;
}

export function statusOf({ edge, project, epoch }: Member, contact: Contact | undefined): EdgeStatus {
  const unknown = { have: null, phase: null, reason: null, version: null, lastContact: null };
  if (contact === undefined) return { edge, project, epoch, contact: 'never', ...unknown };
  const { have, phase, reason, version, seen: lastContact } = contact;
  const state = isConnected(contact) ? 'connected' : 'cut off';
  return { edge, project, epoch, contact: state, have, phase, reason, version, lastContact };
}
