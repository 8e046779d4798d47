import { z } from 'zod';
import { PERMISSIONS } from '#common/model/records.ts';
import type { Services } from './call.ts';
import { withoutGateway } from './without-gateway.ts';

/** A change that takes rights away, as data: what it takes to make it again after a restart. `by`: see each kind. */
export const heldChange = z.discriminatedUnion('kind', [
  /** `by`: the name of the user. */
  z.strictObject({ kind: z.literal('key'), project: z.string(), key: z.string(), by: z.string() }),
  z.strictObject({ kind: z.literal('pipeline'), project: z.string(), pipeline: z.string() }),
  /** `by`: the id of the user. */
  z.strictObject({
    kind: z.literal('user'),
    user: z.string(),
    active: z.literal(false).optional(),
    roles: z.array(z.string()).optional(),
    by: z.string(),
  }),
  z.strictObject({
    kind: z.literal('role'),
    role: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)),
    by: z.string(),
  }),
]);
export type HeldChange = z.infer<typeof heldChange>;

/** How a change is put into force, saved and taken back. */
export interface Restriction {
  /** In this process; without the disk. Throws SluiceError when there is nothing to restrict. */
  hold(): void;
  /** In the gateway. */
  tell(): Promise<void>;
  save(): unknown;
  /** Saves it later, whatever changed meanwhile: it gives nobody more than they have then. */
  saveHeld(): unknown;
  /** Takes back what `hold` did, when the change turns out to be impossible. */
  release(): void;
  /** Runs a later attempt to save where nothing else changes the same thing. */
  inTurn(attempt: () => Promise<void>): Promise<void>;
}

export type RestrictionServices = Pick<Services, 'keys' | 'projects' | 'people' | 'gateway' | 'locks'>;

export function restrictionOf(services: RestrictionServices, change: HeldChange): Restriction {
  switch (change.kind) {
    case 'key':
      return ofKey(services, change);
    case 'pipeline':
      return ofPipeline(services, change);
    default:
      return ofPeople(services, change);
  }
}

/** Also the order of changes of the same thing: a later one takes the place of an earlier one. */
export function heldId(change: HeldChange): string {
  switch (change.kind) {
    case 'key':
      return `key ${change.key}`;
    case 'pipeline':
      return `pipeline ${change.project}/${change.pipeline}`;
    case 'user':
      return change.active === false ? `user ${change.user}` : `roles of user ${change.user}`;
    case 'role':
      return `role ${change.role}`;
  }
}

function ofKey({ keys, gateway, locks }: RestrictionServices, change: HeldChange & { kind: 'key' }): Restriction {
  const { key, project, by } = change;
  return {
    hold: () => keys.holdRevoked(key, by),
    tell: () => withoutGateway(() => gateway.change({ kind: 'key-revoked', keyId: key })),
    save: () => keys.revoke(key, by),
    saveHeld: () => keys.revoke(key, by),
    release: () => keys.releaseRevoked(key),
    inTurn: (attempt) => locks.shared(project, attempt),
  };
}

function ofPipeline(
  { projects, gateway, locks }: RestrictionServices,
  { project, pipeline }: HeldChange & { kind: 'pipeline' },
): Restriction {
  return {
    hold: () => projects.holdStopped(project, pipeline),
    tell: () => withoutGateway(() => gateway.change({ kind: 'stop', project, pipeline })),
    save: () => projects.setWanted(project, pipeline, null),
    saveHeld: () => projects.setWanted(project, pipeline, null),
    release: () => projects.releaseStopped(project, pipeline),
    inTurn: (attempt) => locks.pipeline(project, pipeline, attempt),
  };
}

function ofPeople({ people }: RestrictionServices, change: HeldChange & { kind: 'user' | 'role' }): Restriction {
  const by = { user: { id: change.by } };
  return {
    hold: () => people.hold(change),
    tell: () => Promise.resolve(),
    save: () => {
      if (change.kind === 'role') return people.changeRole(change.role, { permissions: change.permissions }, by);
      const { user, active, roles } = change;
      return people.changeUser(user, { ...(active === false && { active }), ...(roles && { roles }) }, by);
    },
    saveHeld: () => people.saveHeld(change),
    release: () => people.release(change),
    inTurn: (attempt) => attempt(),
  };
}
