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

export interface EdgeStatus extends Pick<Member, 'edge' | 'project' | 'epoch'> {
  /** `never`: not since this hub started. */
  contact: 'connected' | 'cut off' | 'never';
  /** RFC 3339 of the last check-in. */
  lastContact: string | null;
  have: Counters | null;
  phase: Phase | null;
  reason: string | null;
  version: string | null;
}

export interface HubStatus {
  role: 'hub';
  address: string;
  serial: number;
  edges: EdgeStatus[];
}

export function isConnected(contact: Contact | undefined): boolean {
  return contact !== undefined && performance.now() - contact.seenAt < CONNECTED_MS;
}
