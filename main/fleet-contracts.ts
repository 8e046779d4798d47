import type { FleetRecord, KeyOnEdge } from '#common/contract/fleet.ts';

/** Which edges have a change of a key. */
export interface FleetReport {
  serial: number;
  /** Gateway and vault of the edge have it. */
  confirmed: string[];
  /** Connected, asked, and without an answer yet. */
  silent: string[];
  /** Since their last check-in (RFC 3339); null: none since the hub started. They get it when they connect again. */
  cutOff: { edge: string; since: string | null }[];
}

/** The part of a fleet that the admin API uses. */
export interface FleetPort {
  readonly role: 'hub' | 'edge';
  /** Throws SluiceError `conflict` while the hub or the agent starts, as the other functions do. */
  status(): FleetRecord;
  /** Which edges have the key. Null for a key that no edge can check, and on an edge. */
  keyOn(keyId: string): KeyOnEdge[] | null;
  /** Sends a revocation, pause or other limits of a key to the edges. Null for a key that no edge has, and on an edge. */
  changed(keyId: string): Promise<FleetReport | null>;
}
