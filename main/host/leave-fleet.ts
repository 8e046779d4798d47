import type { GatewayLink, Vault } from '../contracts.ts';
import { withoutGateway } from '../admin-api/without-gateway.ts';
import type { Left } from '../fleet/leave.ts';
import type { HostFleet } from './fleet-port.ts';

/** Ends the membership of a running edge; the gateway refuses the keys of the fleet when it resolves. */
export async function leaveFleet(
  vault: Vault,
  fleet: HostFleet | null,
  gateway: Pick<GatewayLink, 'change'> | null,
): Promise<Left> {
  const { leave } = await import('../fleet/leave.ts');
  const left = await leave(vault);
  if (fleet !== null) {
    fleet.hasLeft = true;
    await fleet.running?.close();
    fleet.running = null;
  }
  if (gateway === null) return left;
  for (const keyId of left.keyIds) await withoutGateway(() => gateway.change({ kind: 'key-revoked', keyId }));
  return left;
}
