import { SluiceError } from '#common/errors/catalogue.ts';
import type { FleetPort } from '../fleet-contracts.ts';
import type { Fleet } from '../fleet/start.ts';

/** The hub or agent of this host, once it runs. */
export interface HostFleet {
  running: Fleet | null;
  /** The edge left its fleet while the host ran. */
  hasLeft: boolean;
}

/** The fleet for the admin API, which is open before the hub or the agent has started. */
export function fleetPort(role: FleetPort['role'], host: HostFleet): FleetPort {
  const started = (): Fleet => {
    if (host.running === null) throw new SluiceError('conflict', `The ${ROLE[role]} is still starting; try again.`);
    return host.running;
  };
  return {
    role,
    status: () => (host.hasLeft ? { role: 'none' } : started().status()),
    keyOn: (keyId) => (host.hasLeft ? null : (started().hub?.keyOn(keyId) ?? null)),
    changed: async (keyId) => (host.hasLeft ? null : ((await started().hub?.changed(keyId)) ?? null)),
  };
}
const ROLE = { hub: 'hub of the fleet', edge: 'connection to the hub' };
