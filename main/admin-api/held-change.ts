import { z } from 'zod';
import { phrase, type Phrase } from '#common/alarms/phrase.ts';
import { nameKey } from '#common/model/credentials.ts';
import { keyLimits, withoutWidening } from '#common/model/key-limits.ts';
import { PERMISSIONS } from '#common/model/records.ts';
import { longer, writeStop } from '#common/model/write-stop.ts';
import type { RightsHold } from '../contracts.ts';
import type { LimitsHold } from '../key-contracts.ts';
import { type Services, unknown } from './call.ts';
import { withoutGateway } from './without-gateway.ts';

const keyPause = z.strictObject({ at: z.string(), by: z.string(), reason: z.string() });

/** A change that removes rights, as data: everything needed to repeat it after a restart. `by`: see each kind. */
export const heldChange = z.discriminatedUnion('kind', [
  /** `by`: the name of the user. */
  z.strictObject({ kind: z.literal('key'), project: z.string(), key: z.string(), by: z.string() }),
  z.strictObject({ kind: z.literal('token'), token: z.string(), by: z.string() }),
  z.strictObject({ kind: z.literal('limits'), project: z.string(), key: z.string(), limits: keyLimits }),
  z.strictObject({ kind: z.literal('pause'), project: z.string(), key: z.string(), pause: keyPause }),
  z.strictObject({ kind: z.literal('pipeline'), project: z.string(), pipeline: z.string() }),
  z.strictObject({ kind: z.literal('writes'), stop: writeStop }),
  /** `by`: the ID of the user. */
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
  /** Throws SluiceError if it is not allowed or there is nothing to restrict. Changes nothing. */
  check(): void;
  /** In this process; without the disk. */
  hold(): void;
  /** In the gateway. */
  enforce(): Promise<void>;
  /** Saves the remaining part, whatever has changed meanwhile: nobody gets more rights than they have then. */
  save(): unknown;
  /** The parts that no later change has replaced since `hold`. */
  left(): HeldChange[];
  /** Undoes `hold`. Parts that another restriction holds are kept. */
  release(): void;
}

export type RestrictionServices = Pick<Services, 'keys' | 'projects' | 'people' | 'gateway' | 'unsaved'>;

export function restrictionOf(services: RestrictionServices, change: HeldChange): Restriction {
  switch (change.kind) {
    case 'key':
      return ofKey(services, change);
    case 'token':
      return ofToken(services, change);
    case 'limits':
      return ofLimits(services, change);
    case 'pause':
      return ofPause(services, change);
    case 'pipeline':
      return ofPipeline(services, change);
    case 'writes':
      return ofWrites(services, change);
    default:
      return ofPeople(services, change);
  }
}

export function stopOf(project: string, pipeline: string): HeldChange & { kind: 'pipeline' } {
  return { kind: 'pipeline', project, pipeline };
}

export function stopPhrase(project: string, pipeline: string): Phrase {
  return phrase('pipeline_stopped', { project, pipeline });
}

/**
 * The change in parts that are held and dropped individually: a user who is activated again does not regain the roles
 * that were removed in the same call.
 */
export function heldParts(change: HeldChange): HeldChange[] {
  if (change.kind !== 'user' || change.active === undefined || change.roles === undefined) return [change];
  const { active, roles, ...user } = change;
  return [
    { ...user, active },
    { ...user, roles },
  ];
}

/** The key of one part. Two changes of the same subject are combined (`narrowed`). */
export function heldId(change: HeldChange): string {
  switch (change.kind) {
    case 'key':
      return `key ${change.key}`;
    case 'token':
      return `token ${change.token}`;
    case 'limits':
      return `limits of key ${change.key}`;
    case 'pause':
      return `pause of key ${change.key}`;
    case 'pipeline':
      return `pipeline ${change.project}/${change.pipeline}`;
    case 'writes':
      return `writes of ${change.stop.project}/${change.stop.device ?? ''}`;
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

/** A part, reduced to the rights that another part with the same ID leaves as well. */
export function narrowed(part: HeldChange, other: HeldChange): HeldChange {
  if (part.kind === 'role' && other.kind === 'role')
    return { ...part, permissions: part.permissions.filter((permission) => other.permissions.includes(permission)) };
  if (part.kind === 'limits' && other.kind === 'limits')
    return { ...part, limits: withoutWidening(other.limits, part.limits) };
  if (part.kind === 'writes' && other.kind === 'writes') return { ...part, stop: longer(part.stop, other.stop) };
  if (part.kind !== 'user' || other.kind !== 'user' || part.roles === undefined) return part;
  const left = other.roles?.map(nameKey);
  return { ...part, roles: part.roles.filter((role) => left?.includes(nameKey(role)) !== false) };
}

function ofKey({ keys, gateway, unsaved }: RestrictionServices, change: HeldChange & { kind: 'key' }): Restriction {
  const { key, by } = change;
  return {
    check: () => {
      if (keys.get(key) === null) throw unknown('key');
    },
    hold: () => keys.holdRevoked(key, by),
    enforce: () => withoutGateway(() => gateway.change({ kind: 'key-revoked', keyId: key })),
    save: () => keys.revoke(key, by),
    left: () => [change],
    release() {
      if (!unsaved.has(heldId(change))) keys.releaseRevoked(key);
    },
  };
}

function ofToken(
  { people: { tokens }, unsaved }: RestrictionServices,
  change: HeldChange & { kind: 'token' },
): Restriction {
  const { token, by } = change;
  return {
    check: () => void tokens.get(token),
    hold: () => tokens.holdRevoked(token, by),
    enforce: () => Promise.resolve(),
    save: () => tokens.revoke(token, by),
    left: () => [change],
    release() {
      if (!unsaved.has(heldId(change))) tokens.releaseRevoked(token);
    },
  };
}

function ofLimits({ keys, gateway }: RestrictionServices, change: HeldChange & { kind: 'limits' }): Restriction {
  const { key, limits } = change;
  let hold: LimitsHold = { held: () => false, release: () => {} };
  return {
    check: () => keys.checkLimits(key, limits),
    hold() {
      hold = keys.holdLimits(key, limits);
    },
    enforce: () =>
      withoutGateway(() => {
        const inForce = keys.get(key)?.limits ?? limits;
        return gateway.change({ kind: 'key-limits', keyId: key, limits: inForce });
      }),
    async save() {
      await keys.narrow(key, limits);
      hold.release();
    },
    left: () => (hold.held() ? [change] : []),
    release: () => hold.release(),
  };
}

function ofPause({ keys, gateway, unsaved }: RestrictionServices, change: HeldChange & { kind: 'pause' }): Restriction {
  const { key, pause } = change;
  return {
    check: () => keys.checkPausable(key),
    hold: () => keys.holdPaused(key, pause),
    enforce: () => withoutGateway(() => gateway.change({ kind: 'key-paused', keyId: key, paused: pause.reason })),
    save: () => keys.pause(key, pause),
    left: () => (keys.isPauseHeld(key, pause) ? [change] : []),
    release() {
      if (!unsaved.has(heldId(change))) keys.releasePaused(key, pause);
    },
  };
}

function ofPipeline(
  { projects, gateway, unsaved }: RestrictionServices,
  change: HeldChange & { kind: 'pipeline' },
): Restriction {
  const { project, pipeline } = change;
  return {
    check: () => {
      if (projects.pipeline(project, pipeline) === null) throw unknown('pipeline');
    },
    hold: () => projects.holdStopped(project, pipeline),
    enforce: () => withoutGateway(() => gateway.change({ kind: 'stop', project, pipeline })),
    save: () => projects.saveStopped(project, pipeline),
    left: () => (projects.isStopHeld(project, pipeline) ? [change] : []),
    release() {
      if (!unsaved.has(heldId(change))) projects.releaseStopped(project, pipeline);
    },
  };
}

function ofWrites(
  { projects, gateway, unsaved }: RestrictionServices,
  change: HeldChange & { kind: 'writes' },
): Restriction {
  const { stop } = change;
  const { writeStops } = projects;
  return {
    check() {
      if (projects.project(stop.project) === null) throw unknown('project');
      if (stop.device !== null && projects.resources.get('connections', stop.project, stop.device) === null)
        throw unknown('connection');
    },
    hold: () => writeStops.hold(stop),
    enforce: () => withoutGateway(() => gateway.change({ kind: 'write-stops', stops: writeStops.list() })),
    save: () => writeStops.put(stop),
    left: () => (writeStops.isHeld(stop) ? [change] : []),
    release() {
      if (!unsaved.has(heldId(change))) writeStops.release(stop);
    },
  };
}

function ofPeople({ people }: RestrictionServices, change: HeldChange & { kind: 'user' | 'role' }): Restriction {
  let held: RightsHold = { left: () => [], release: () => {} };
  return {
    check: () => people.checkRestriction(change, { user: { id: change.by } }),
    hold() {
      held = people.hold(change);
    },
    enforce: () => Promise.resolve(),
    save: () => people.saveHeld(held),
    left() {
      const left = held.left().map((part) => heldId({ ...part, by: '' } as HeldChange));
      return heldParts(change).filter((part) => left.includes(heldId(part)));
    },
    release: () => held.release(),
  };
}
