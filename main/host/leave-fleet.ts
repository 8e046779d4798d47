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
  if (fleet !== null) fleet.hasLeft = true;
  try {
    // Before the agent ends, which can take long: it finishes the assignment that it applies. It gives no key any more,
    // because the vault has none of the fleet.
    if (gateway !== null)
      for (const keyId of left.keyIds) await withoutGateway(() => gateway.change({ kind: 'key-revoked', keyId }));
  } finally {
    if (fleet !== null) {
      await fleet.running?.close();
      fleet.running = null;
    }
  }
  return left;
}
