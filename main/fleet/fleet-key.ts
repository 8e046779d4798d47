import type { KeyEntry } from '#common/control/messages.ts';
import type { KeyOnEdge } from '#common/contract/fleet.ts';
import type { FleetKey } from '#common/fleet/records.ts';

/**
 * A key as edges get it; null if they get none. A paused key allows no address there, so that a later assignment can
 * resume it. A honey key stays on the hub: edges refuse it like any unknown key.
 */
export function fleetKeyOf(entry: KeyEntry | null): FleetKey | null {
  if (entry === null || entry.ofFleet !== true || entry.revoked || entry.honey) return null;
  const { id, name, scopes, hash, paused } = entry;
  const limits = { ...entry.limits, ...(paused !== null && { addresses: [] }) };
  return { id, name, scopes, limits, hash };
}

/**
 * The answer of an edge to a key. `confirmed`: whether it has the newest change of the key; null: there was none.
 * `isInForce`: it has the newest assignment.
 */
export function keyState(
  { revoked, paused }: Pick<KeyEntry, 'revoked' | 'paused'>,
  { confirmed, isAssigned, isInForce }: { confirmed: boolean | null; isAssigned: boolean; isInForce: boolean },
): KeyOnEdge['key'] {
  if (revoked) return confirmed === true ? 'refused' : 'unconfirmed';
  if (!isAssigned) return 'absent';
  if (paused !== null) return (confirmed ?? isInForce) ? 'paused' : 'unconfirmed';
  return isInForce ? 'accepted' : 'expected';
}
