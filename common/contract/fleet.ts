import { z } from 'zod';
import { counters, PHASES } from '../fleet/records.ts';
import { declareCall } from './declaration.ts';
import { time } from './records.ts';

/** The fleet of a hub or an edge (docs/guides/fleet.md). */
const contact = {
  contact: z.enum(['connected', 'cut off', 'never']).meta({
    description: '`never`: no check-in since the hub started.',
  }),
  lastContact: time.nullable().meta({ description: 'The last check-in.' }),
};

const edgeStatus = z.strictObject({
  edge: z.string(),
  project: z.string().nullable(),
  epoch: z.int().meta({ description: 'The number of the newest assignment; 0: none.' }),
  ...contact,
  have: counters.nullable().meta({ description: 'The numbers that are in force on the edge.' }),
  phase: z.enum(PHASES).nullable(),
  reason: z.string().nullable().meta({ description: 'Why the newest assignment is not in force.' }),
  version: z.string().nullable(),
});
export type EdgeStatus = z.infer<typeof edgeStatus>;

const hubFleet = z.strictObject({
  role: z.literal('hub'),
  address: z.string(),
  serial: z.int().meta({ description: 'The number of the last change of a key.' }),
  edges: z.array(edgeStatus),
});
export type HubFleet = z.infer<typeof hubFleet>;

const edgeFleet = z.strictObject({
  role: z.literal('edge'),
  edge: z.string(),
  hub: z.string().meta({ description: 'The address of the hub.' }),
  ...contact,
  phase: z.enum(PHASES),
  reason: z.string().nullable(),
  have: counters,
  project: z.string().nullable().meta({ description: 'The project that the hub manages.' }),
});
export type EdgeFleet = z.infer<typeof edgeFleet>;

const fleetRecord = z.discriminatedUnion('role', [hubFleet, edgeFleet, z.strictObject({ role: z.literal('none') })]);
export type FleetRecord = z.infer<typeof fleetRecord>;

export const KEY_STATES = ['accepted', 'expected', 'paused', 'refused', 'unconfirmed', 'absent'] as const;
const keyOnEdge = z.strictObject({
  edge: z.string(),
  ...contact,
  key: z.enum(KEY_STATES).meta({
    description:
      '`accepted`: an assignment with the key is in force. `expected`: the newest assignment has the key and is not in force yet. `refused` and `paused`: the key is revoked or paused, and the edge has confirmed it. `unconfirmed`: the key is revoked or paused, and the edge may still accept it. `absent`: the edge was not given the key.',
  }),
});
export type KeyOnEdge = z.infer<typeof keyOnEdge>;

export const fleetContract = {
  read: declareCall({
    method: 'get',
    path: '/fleet',
    access: 'view',
    summary: 'Read the fleet',
    description:
      'On a hub, lists its edges with their contact, version and assignment. On an edge, shows its hub and what the hub manages. `role` is `none` outside of a fleet.',
    response: fleetRecord,
  }),
  key: declareCall({
    method: 'get',
    path: '/projects/:project/keys/:key/edges',
    access: 'manage_keys',
    summary: 'List the edges that have an API key',
    description:
      'On a hub, lists for each edge whether it accepts the key. `ofFleet` is false for a key that no edge can check: one that was made before this machine was a hub, or outside of a fleet.',
    response: z.strictObject({ ofFleet: z.boolean(), edges: z.array(keyOnEdge) }),
  }),
};
