import { SluiceError } from '#common/errors/catalogue.ts';
import type { FleetPort } from '../fleet-contracts.ts';
import type { Fleet } from '../fleet/start.ts';

/** The fleet for the admin API, which is open before the hub or the agent has started. */
export function fleetPort(role: FleetPort['role'], running: () => Fleet | null): FleetPort {
  const started = (): Fleet => {
    const fleet = running();
    if (fleet === null) throw new SluiceError('conflict', `The ${ROLE[role]} is still starting; try again.`);
    return fleet;
  };
  return {
    role,
    status: () => started().status(),
    keyOn: (keyId) => started().hub?.keyOn(keyId) ?? null,
    changed: async (keyId) => (await started().hub?.changed(keyId)) ?? null,
  };
}
const ROLE = { hub: 'hub of the fleet', edge: 'connection to the hub' };
