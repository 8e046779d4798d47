import { fleetContract } from '#common/contract/fleet.ts';
import { defineCall } from './call.ts';
import { keyOf } from './key-calls.ts';

/** The fleet of this machine (docs/guides/fleet.md). */
export const fleetCalls = [
  defineCall(fleetContract.read, {
    handle: ({ fleet }) => fleet?.status() ?? { role: 'none' as const },
  }),
  defineCall(fleetContract.key, {
    handle(services, context) {
      const edges = services.fleet?.keyOn(keyOf(services, context).id) ?? null;
      return { ofFleet: edges !== null, edges: edges ?? [] };
    },
  }),
];
