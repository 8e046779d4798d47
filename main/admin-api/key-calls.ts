import { phrase } from '#common/alarms/phrase.ts';
import { keyContract } from '#common/contract/key.ts';
import { page } from '#common/contract/records.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { isLimited, type KeyLimits, widens } from '#common/model/key-limits.ts';
import type { Scope } from '#common/scopes.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { limitsDetail } from '../vault/limits-detail.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, type Services, unknown } from './call.ts';
import { heldId } from './held-change.ts';
import { performRestriction } from './perform-restriction.ts';
import { mayGiveScopes, mayLimit } from './given-scopes.ts';
import { mayApprove, mayWiden, secondPause } from './second-person.ts';
import { projectOf } from './project-calls.ts';
import { withoutGateway } from './without-gateway.ts';

/**
 * Keys (docs/spec/keys.md#revocation). A revocation takes effect first, also in the gateway, without a lock, as do
 * narrower limits; the response is sent when the vault is on disk. The response to a creation is sent when both vault and gateway have the
 * key. It is also sent without a gateway, which receives the key with its first snapshot, because the value is never
 * shown again.
 */

export const keyCalls = [
  defineCall(keyContract.list, {
    async handle(services, context) {
      const { id } = projectOf(services, context);
      return page(await withLastUse(services, services.keys.list(id)));
    },
  }),
  defineCall(keyContract.listAll, {
    async handle(services) {
      // The revoked keys of a deleted project are kept until a new project has its ID.
      const { projects } = services;
      const keys = services.keys.list().filter(({ project }) => projects.project(project) !== null);
      return page(await withLastUse(services, keys));
    },
  }),
  defineCall(keyContract.create, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const { name, scopes, limits, honey } = context.body;
      const act = {
        project,
        target: name,
        keyName: name,
        detail: honey ? 'honey key' : createdDetail(scopes, limits),
      };
      return make(services, context, act, project, (by) => {
        mayGiveScopes(services, context.session, project, { scopes, limits });
        return services.keys.create({
          project,
          name,
          scopes,
          limits,
          honey,
          paused: secondPause(services, scopes, context.session),
          by,
        });
      });
    },
  }),
  defineCall(keyContract.revoke, {
    async handle(services, context) {
      const key = keyOf(services, context);
      const act = { act: 'key.revoke', ...keyAct(key) };
      const by = context.session.user.name;
      const change = { kind: 'key', project: key.project, key: key.id, by } as const;
      const what = phrase('key_revoked', { key: key.name, project: key.project });
      await performRestriction(services, context, act, change, what);
      // Not looked up by its project, which may have been deleted meanwhile.
      const record = services.keys.get(key.id) ?? key;
      const inFleet = await changedInFleet(services, key.id);
      services.hub.publish({ kind: 'changed', what: 'key', project: key.project });
      try {
        const [shown = record] = await withLastUse(services, [record]);
        return { ...shown, ...inFleet };
      } catch (error) {
        // The key is revoked: a response that denies it would be worse.
        services.log.warn('the last use of a revoked key could not be read', { keyId: key.id, error });
        return { ...record, ...inFleet };
      }
    },
  }),
  defineCall(keyContract.limit, {
    async handle(services, context) {
      const { limits } = context.body;
      const key = keyOf(services, context);
      const record = widens(key.limits, limits)
        ? await limit(services, context, limits)
        : await narrow(services, context, key, limits);
      return shownChanged(services, record);
    },
  }),
  defineCall(keyContract.pause, {
    async handle(services, context) {
      const key = keyOf(services, context);
      const { project, id } = key;
      const { reason } = context.body;
      const pause = { at: new Date().toISOString(), by: context.session.user.name, reason };
      const act = { act: 'key.pause', ...keyAct(key), detail: pause.reason };
      const what = phrase('key_paused', { key: key.name, project });
      await performRestriction(services, context, act, { kind: 'pause', project, key: id, pause }, what);
      return shownChanged(services, services.keys.get(id) ?? key);
    },
  }),
  defineCall(keyContract.resume, {
    async handle(services, context) {
      return shownChanged(services, await resume(services, context));
    },
  }),
  defineCall(keyContract.rotate, {
    async handle(services, context) {
      const key = keyOf(services, context);
      const act = keyAct(key);
      return make(services, context, act, key.project, (by) => {
        mayGiveScopes(services, context.session, key.project, key);
        return services.keys.rotate(key.id, by, secondPause(services, key.scopes, context.session));
      });
    },
  }),
];

/** The key is already changed on this machine: an error of the fleet must not hide that, and is reported as well. */
async function changedInFleet({ fleet, log }: Services, keyId: string) {
  try {
    const report = (await fleet?.changed(keyId)) ?? null;
    return report === null ? {} : { fleet: report };
  } catch (error) {
    log.error('a change of a key could not be sent to the edges', { keyId, error });
    return { fleetError: error instanceof SluiceError ? error.message : NOT_BROUGHT };
  }
}
const NOT_BROUGHT = 'The hub could not send the change to its edges; the log of the hub has the cause.';

function createdDetail(scopes: readonly Scope[], limits: KeyLimits): string {
  const given = `scopes: ${scopes.join(', ') || 'none'}`;
  return isLimited(limits) ? `${given}; limits: ${JSON.stringify(limits)}` : given;
}

/** The vault does not know when a key was used; the journal does. Keys are listed also when it cannot be searched. */
async function withLastUse({ audit }: Services, keys: readonly KeyRecord[]): Promise<KeyRecord[]> {
  const lastUsed = await audit.lastUsed().catch(() => new Map<string, string>());
  return keys.map((key) => ({ ...key, lastUsedAt: lastUsed.get(key.id) ?? key.lastUsedAt }));
}

/** The key in the path, even if it is revoked. */
export function keyOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>): KeyRecord {
  const { id } = projectOf(services, context);
  const key = services.keys.get(context.param('key'));
  if (key === null || key.project !== id) throw unknown('key');
  return key;
}

/** In the vault first: a gateway that does not acknowledge the limits is replaced by one that gets them from there. */
function limit(services: Services, context: Context<unknown, unknown>, limits: KeyLimits): Promise<KeyRecord> {
  const { id: keyId, project } = keyOf(services, context);
  const held = heldId({ kind: 'limits', project, key: keyId, limits });
  const requested = services.restrictions.last;
  const refuseIfNarrowed = services.restrictions.watch(held);
  return services.locks.resources(project, () => {
    const key = keyOf(services, context);
    return performAct(services, context, limitAct(key, limits), async () => {
      mayLimit(context.session, key.limits, limits);
      if (widens(key.limits, limits)) mayWiden(services, key);
      refuseIfNarrowed();
      const limited = await services.keys.limit(keyId, limits);
      services.unsaved.drop(held, requested);
      const inForce = services.keys.get(keyId) ?? limited;
      await withoutGateway(() => services.gateway.change({ kind: 'key-limits', keyId, limits: inForce.limits }));
      return inForce;
    });
  });
}

/** In the vault first, as wider limits. */
function resume(services: Services, context: Context<unknown, unknown>): Promise<KeyRecord> {
  const { id: keyId, project } = keyOf(services, context);
  const held = `pause of key ${keyId}`;
  const requested = services.restrictions.last;
  const refuseIfNarrowed = services.restrictions.watch(held);
  return services.locks.resources(project, () =>
    performAct(services, context, resumeAct(keyOf(services, context)), async () => {
      refuseIfNarrowed();
      mayApprove(context.session, keyOf(services, context));
      const resumed = await services.keys.resume(keyId);
      services.unsaved.drop(held, requested);
      const inForce = services.keys.get(keyId) ?? resumed;
      const paused = inForce.paused?.reason ?? null;
      await withoutGateway(() => services.gateway.change({ kind: 'key-paused', keyId, paused }));
      return inForce;
    }),
  );
}

/** In force first, and without a lock, as a revocation. */
async function narrow(
  services: Services,
  context: Context<unknown, unknown>,
  key: KeyRecord,
  limits: KeyLimits,
): Promise<KeyRecord> {
  const act = { act: 'key.limit', ...limitAct(key, limits) };
  const change = { kind: 'limits', project: key.project, key: key.id, limits } as const;
  const what = phrase('key_limited', { key: key.name, project: key.project });
  await performRestriction(services, context, act, change, what);
  return services.keys.get(key.id) ?? key;
}

function limitAct(key: KeyRecord, limits: KeyLimits) {
  return { ...keyAct(key), detail: limitsDetail(key.limits, limits) };
}

function resumeAct(key: KeyRecord) {
  const { paused } = key;
  return {
    ...keyAct(key),
    ...(paused?.second === true && { detail: `approved by a second user; created by ${paused.by}` }),
  };
}

function keyAct({ id, project, name }: KeyRecord) {
  return { project, target: id, keyId: id, keyName: name };
}

async function shownChanged(services: Services, record: KeyRecord) {
  const inFleet = await changedInFleet(services, record.id);
  services.hub.publish({ kind: 'changed', what: 'key', project: record.project });
  const [shown = record] = await withLastUse(services, [record]);
  return { ...shown, ...inFleet };
}

async function make(
  services: Services,
  context: Context<unknown, unknown>,
  act: Parameters<typeof performAct>[2],
  project: string,
  create: (by: string) => Promise<{ value: string; record: KeyRecord }>,
): Promise<{ key: string; record: KeyRecord }> {
  const { keys, gateway, locks, hub } = services;
  const { value, record } = await locks.shared(project, () =>
    performAct(
      services,
      context,
      act,
      async () => {
        // Checked again inside the lock: the project may have been deleted meanwhile.
        projectOf(services, context);
        const made = await create(context.session.user.name);
        const entry = keys.entry(made.record.id);
        if (entry) await withoutGateway(() => gateway.change({ kind: 'key', key: entry }));
        return made;
      },
      (made) => ({ keyId: made.record.id, keyName: made.record.name, detail: `made key ${made.record.id}` }),
    ),
  );
  hub.publish({ kind: 'changed', what: 'key', project });
  return { key: value, record };
}
