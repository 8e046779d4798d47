import { z } from 'zod';
import { PERMISSIONS } from '#common/model/records.ts';
import { type Services, unknown } from './call.ts';
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

/** The operations of a change: applying, saving and undoing it. */
export interface Restriction {
  /** Throws SluiceError when it is not allowed or there is nothing to restrict. Changes nothing. */
  check(): void;
  /** In this process; without the disk. */
  hold(): void;
  /** In the gateway. */
  enforce(): Promise<void>;
  save(): unknown;
  /** Saves it later, whatever changed meanwhile: it gives nobody more than they have then. */
  saveHeld(): unknown;
  /** A later change has taken its place since `hold`, so nothing is left to save. */
  isSuperseded(): boolean;
  /** Takes back what `hold` did, when the change turns out to be impossible. */
  release(): void;
}

export type RestrictionServices = Pick<Services, 'keys' | 'projects' | 'people' | 'gateway'>;

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

export function stopOf(project: string, pipeline: string): HeldChange & { kind: 'pipeline' } {
  return { kind: 'pipeline', project, pipeline };
}

/** A stop in both languages. */
export function stopWords(project: string, pipeline: string): { what: string; german: string } {
  return {
    what: `the stop of the pipeline "${pipeline}" of the project "${project}"`,
    german: `Stopp der Pipeline „${pipeline}“ im Projekt „${project}“`,
  };
}

/**
 * The change in parts that are held and dropped one by one: a user who is active again does not get back the roles that
 * were taken away in the same call.
 */
export function heldParts(change: HeldChange): HeldChange[] {
  if (change.kind !== 'user' || change.active === undefined || change.roles === undefined) return [change];
  const { active, roles, ...user } = change;
  return [
    { ...user, active },
    { ...user, roles },
  ];
}

/** Of one part. A later change of the same thing takes the place of an earlier one. */
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

/** The restricted object, for LatestRestrictions. */
export function subjectOf(change: HeldChange): string {
  return change.kind === 'user' ? `user ${change.user}` : heldId(change);
}

function ofKey({ keys, gateway }: RestrictionServices, change: HeldChange & { kind: 'key' }): Restriction {
  const { key, by } = change;
  return {
    check: () => {
      if (keys.get(key) === null) throw unknown('key');
    },
    hold: () => keys.holdRevoked(key, by),
    enforce: () => withoutGateway(() => gateway.change({ kind: 'key-revoked', keyId: key })),
    save: () => keys.revoke(key, by),
    saveHeld: () => keys.revoke(key, by),
    isSuperseded: () => false,
    release: () => keys.releaseRevoked(key),
  };
}

function ofPipeline(
  { projects, gateway }: RestrictionServices,
  { project, pipeline }: HeldChange & { kind: 'pipeline' },
): Restriction {
  return {
    check: () => {
      if (projects.pipeline(project, pipeline) === null) throw unknown('pipeline');
    },
    hold: () => projects.holdStopped(project, pipeline),
    enforce: () => withoutGateway(() => gateway.change({ kind: 'stop', project, pipeline })),
    save: () => projects.saveStopped(project, pipeline),
    saveHeld: () => projects.saveStopped(project, pipeline),
    isSuperseded: () => !projects.isStopHeld(project, pipeline),
    release: () => projects.releaseStopped(project, pipeline),
  };
}

function ofPeople({ people }: RestrictionServices, change: HeldChange & { kind: 'user' | 'role' }): Restriction {
  const by = { user: { id: change.by } };
  return {
    check: () => people.checkRestriction(change, by),
    hold: () => people.hold(change),
    enforce: () => Promise.resolve(),
    save: () => {
      if (change.kind === 'role') return people.changeRole(change.role, { permissions: change.permissions }, by);
      const { user, active, roles } = change;
      return people.changeUser(user, { ...(active === false && { active }), ...(roles && { roles }) }, by);
    },
    saveHeld: () => people.saveHeld(change),
    isSuperseded: () => false,
    release: () => people.release(change),
  };
}
